// SPDX-License-Identifier: Apache-2.0
/**
 * Servers for tests: one embedded in the JVM, a local process, a container; and what finds the best of them.
 *
 * <p>Layer: below everything else of Memshard; above {@code embedded}, the engine of the embedded server. Start reading
 * at {@link io.memshard.testkit.MemcachedServer}, then {@link io.memshard.testkit.ServerLadder}, which picks one.
 */
@NullMarked
package io.memshard.testkit;

import org.jspecify.annotations.NullMarked;
