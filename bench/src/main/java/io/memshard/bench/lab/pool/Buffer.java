// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.Arrays;

/**
 * Reusable bytes.
 *
 * <p>Threading: confined to the thread that borrowed it. A pool must make one borrower's writes visible to the next
 * borrower.
 */
final class Buffer {

    private final byte[] bytes;

    /** True while a caller uses the buffer, so that a second user finds it taken. */
    private boolean taken;

    Buffer(int size) {
        bytes = new byte[size];
    }

    /**
     * Writes one byte and reads one. A caller does nothing else with the buffer; the rest of the time is the pool's.
     *
     * @param clears whether every byte is set to 0 first, as in a new buffer
     * @throws IllegalStateException if the buffer is in use
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
}
