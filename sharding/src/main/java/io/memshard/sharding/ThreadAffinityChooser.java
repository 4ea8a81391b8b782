// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

/** Chooser of a connection by the id of the thread. See {@link ConnectionChooser#threadAffinity()}. */
enum ThreadAffinityChooser implements ConnectionChooser {
    /** Index {@code threadId % size}. */
    RAW {
        @Override
        int slot(long threadId, int size) {
            return (int) (threadId % size);
        }
    },
    /**
     * Fibonacci hashing: the fractional part of {@code threadId / golden ratio}, scaled to the size. This spreads
     * consecutive ids evenly over all indexes. Ids at regular distances are spread too, but an even spread needs more
     * of them. Source: D. Knuth, "The Art of Computer Programming", volume 3, section 6.4.
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
