// SPDX-License-Identifier: Apache-2.0
/**
 * Servers for tests, which run in this JVM, in a local process or in a container, and the search for the best available
 * server. Layer: below everything else of Memshard; above {@code embedded}, the engine of the embedded server. Start
 * reading at {@link io.memshard.testkit.MemcachedServer}, then {@link io.memshard.testkit.ServerLadder}, which picks a
 * server.
 */
@NullMarked
package io.memshard.testkit;

import org.jspecify.annotations.NullMarked;
