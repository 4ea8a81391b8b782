// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.reuse;

import org.jspecify.annotations.Nullable;

/**
 * Source of buffers. It is a cache, not a pool of connections: it may make more buffers, and may drop those it gets.
 *
 * <p>Threading: thread-safe except {@link #close}. A fork loads one implementation.
 */
interface Buffers {

    /** Returns a buffer that no other caller has: used before, or new. */
    Buffer get() throws Exception;

    /** Takes back a buffer of {@link #get}, on any thread. Called once for each buffer. */
    void put(Buffer buffer);

    /** Closes the source. Does nothing by default. */
    default void close() throws Exception {}

    /** Opens a source whose buffers have {@code size} bytes, a power of two; callers hold {@code most} at a time. */
    @FunctionalInterface
    interface Opener {

        Buffers open(int size, int most) throws Exception;
    }

    /** Returns {@code found}, or a new buffer of {@code size} bytes if that is null. */
    static Buffer orNew(@Nullable Buffer found, int size) {
        return found == null ? new Buffer(size) : found;
    }
}
