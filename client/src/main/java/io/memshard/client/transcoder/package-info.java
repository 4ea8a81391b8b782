// SPDX-License-Identifier: Apache-2.0
/**
 * Transcoders, which convert values to bytes and flags, and back.
 *
 * <p>{@link io.memshard.client.transcoder.Transcoder} provides transcoders of bytes, strings and counters.
 * {@link io.memshard.client.transcoder.CompatibleTranscoder} reads and writes the formats of older clients.
 * {@link io.memshard.client.transcoder.Compression} wraps any transcoder.
 * {@link io.memshard.client.transcoder.JavaSerialization} supports values of the classes that the application names.
 *
 * <p>Layer: above {@code exception}; does not depend on a protocol or a connection. Start reading at
 * {@code Transcoder}.
 */
@NullMarked
package io.memshard.client.transcoder;

import org.jspecify.annotations.NullMarked;
