// SPDX-License-Identifier: Apache-2.0
/**
 * The engine of the embedded memcached: protocol, items and statistics, without a socket.
 *
 * <p>Layer: below {@link io.memshard.testkit.EmbeddedMemcached}, which alone uses it; imports nothing else of Memshard.
 * Start reading at {@link io.memshard.testkit.embedded.Session}, which cuts the stream into commands.
 */
@NullMarked
package io.memshard.testkit.embedded;

import org.jspecify.annotations.NullMarked;
