// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

/** Reusable bytes. The next borrower must see what the previous borrower wrote. */
final class Buffer {
    private static final int SIZE = 1024;

    private final byte[] bytes = new byte[SIZE];
    private boolean taken;

    /** Writes one byte and reads one byte, so that a measurement is mostly the work of the pool. */
    int use(long number) {
        if (taken) {
            throw new IllegalStateException("the pool lent one buffer to two callers at the same time");
        }
        taken = true;
        int position = (int) (number & (SIZE - 1));
        bytes[position] = (byte) number;
        int read = bytes[SIZE - 1 - position];
        taken = false;
        return read;
    }
}
