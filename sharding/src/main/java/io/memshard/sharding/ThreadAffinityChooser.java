// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

/** Chooser of {@link ConnectionChooser#threadAffinity()} and {@link ConnectionChooser#mixedThreadAffinity()}. */
enum ThreadAffinityChooser implements ConnectionChooser {
    RAW {
        @Override
        int slot(long threadId, int size) {
            return (int) (threadId % size);
        }
    },
    /**
     * Fibonacci hashing: the fractional part of {@code threadId / golden ratio}, scaled to the size. Source: D. Knuth,
     * "The Art of Computer Programming", volume 3, section 6.4.
     */
    MIXED {
        @Override
        int slot(long threadId, int size) {
            long fraction = (threadId * TWO_TO_64_BY_GOLDEN_RATIO) >>> 32;
            return (int) ((fraction * size) >>> 32);
        }
    };

    private static final long TWO_TO_64_BY_GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    abstract int slot(long threadId, int size);

    @Override
    public int choose(Candidates candidates) {
        return candidates.firstReadyFrom(slot(Thread.currentThread().getId(), candidates.size()));
    }
}
