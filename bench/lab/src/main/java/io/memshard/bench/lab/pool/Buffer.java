// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are used again, and the object that their pool needs to take them back.
 *
 * <p>Threading: confined to the thread that got it; a pool must hand it over with its memory effects.
 */
final class Buffer {

    private final byte[] bytes;

    /** Object by which the pool takes the buffer back; null for pools that take the buffer itself. */
    @Nullable
    Object handle;

    /** True while a caller uses the buffer, so that a second user finds it taken. */
    private boolean taken;

    Buffer(int size) {
        bytes = new byte[size];
    }

    /**
     * Writes one byte and reads one, which is all that a caller does with it: the rest is the pool.
     *
     * @param clears whether every byte is set to 0 first, as in a new one
     * @throws IllegalStateException if it is in use
     */
    int use(long number, boolean clears) {
        if (taken) {
            throw new IllegalStateException("a buffer was given to two callers");
        }
        taken = true;
        if (clears) {
            Arrays.fill(bytes, (byte) 0);
        }
        int position = (int) (number & (bytes.length - 1));
        bytes[position] = (byte) number;
        return bytes[bytes.length - 1 - position];
    }

    /** Ends the use of the buffer by its caller. */
    void free() {
        taken = false;
    }

    @Override
    public String toString() {
        return "Buffer[" + bytes.length + ']';
    }
}
