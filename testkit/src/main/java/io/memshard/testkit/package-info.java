// SPDX-License-Identifier: Apache-2.0
/**
 * Servers for tests, and the search for an available server. The servers run in this JVM, in a local process or in a
 * container. Layer: below everything else of Memshard; above {@code embedded}, the engine of the embedded server. Start
 * reading at {@link io.memshard.testkit.MemcachedServer}, then {@link io.memshard.testkit.ServerLadder}, which picks a
 * server.
 */
@NullMarked
package io.memshard.testkit;

import org.jspecify.annotations.NullMarked;
