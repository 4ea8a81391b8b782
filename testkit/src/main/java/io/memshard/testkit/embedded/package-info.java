// SPDX-License-Identifier: Apache-2.0
/**
 * Engine of the embedded memcached: protocol, items and statistics, without a socket. Layer: below {@link
 * io.memshard.testkit.EmbeddedMemcached}, its only user; imports nothing else of Memshard. Start reading at {@link
 * io.memshard.testkit.embedded.Session}, which splits the stream into commands.
 */
@NullMarked
package io.memshard.testkit.embedded;

import org.jspecify.annotations.NullMarked;
