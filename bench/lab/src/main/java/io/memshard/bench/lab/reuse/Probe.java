// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.reuse;

/** A number of the calling thread that is spread evenly, in place of the processor that Go pins to. Stateless. */
final class Probe {

    private static final int GOLDEN_RATIO = 0x9E3779B9;
    private static final int HALF = 16;

    private Probe() {}

    // Thread.threadId() is not there before 19.
    @SuppressWarnings("deprecation")
    static int ofThread() {
        int spread = (int) Thread.currentThread().getId() * GOLDEN_RATIO;
        return spread ^ (spread >>> HALF);
    }
}
