// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.reuse;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is used again: bytes, and what its pool needs to take it back.
 *
 * <p>Threading: confined to the thread that got it; a pool must hand it over with its memory effects.
 */
final class Buffer {

    private final byte[] bytes;

    /** What the pool gave; null for pools that take the buffer itself. */
    private @Nullable Object handle;

    /** In use since it was got; two users at a time find it taken. */
    private boolean taken;

    Buffer(int size) {
        bytes = new byte[size];
    }

    @Nullable
    Object handle() {
        return handle;
    }

    void handle(@Nullable Object given) {
        handle = given;
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

    /** The caller is done with it. */
    void free() {
        taken = false;
    }

    @Override
    public String toString() {
        return "Buffer[" + bytes.length + ']';
    }
}
