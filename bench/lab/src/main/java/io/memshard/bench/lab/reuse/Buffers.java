// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.reuse;

import org.jspecify.annotations.Nullable;

/**
 * Where buffers come from and go to. A cache and not a pool of connections: it may make more, and may drop what it
 * gets.
 *
 * <p>Threading: thread-safe but for {@link #close}. A fork loads one implementation.
 */
interface Buffers {

    /** One that nobody else has: used before, or new. */
    Buffer get() throws Exception;

    /** Takes back what {@link #get} gave, on any thread, once. */
    void put(Buffer buffer);

    /** Closes what has to be closed. */
    default void close() throws Exception {}

    /** Opens one whose buffers have {@code size} bytes, a power of two, for so many callers. */
    @FunctionalInterface
    interface Opener {

        Buffers open(int size, int callers) throws Exception;
    }

    /** {@code found}, or a new buffer of {@code size} bytes where nothing was found. */
    static Buffer orNew(@Nullable Buffer found, int size) {
        return found == null ? new Buffer(size) : found;
    }
}
