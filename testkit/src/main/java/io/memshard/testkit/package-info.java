/**
 * Servers for tests: one embedded in the JVM, one scripted byte by byte, a local process, a container.
 *
 * <p>Layer: below everything; imports nothing else of Memshard. Start reading at
 * {@link io.memshard.testkit.MemcachedServer}, then {@link io.memshard.testkit.ServerLadder}, which
 * picks one.
 */
@NullMarked
package io.memshard.testkit;

import org.jspecify.annotations.NullMarked;
