// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

/** Reusable bytes. A pool must make one borrower's writes visible to the next borrower. */
final class Buffer {
    private static final int SIZE = 1024;

    private final byte[] bytes = new byte[SIZE];
    private boolean taken;

    /** Writes one byte and reads one, so that almost all of a cycle is the pool's work. */
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
