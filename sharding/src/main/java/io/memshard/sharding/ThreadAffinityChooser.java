package io.memshard.sharding;

/** The connection that belongs to the thread. See {@link ConnectionChooser#threadAffinity()}. */
enum ThreadAffinityChooser implements ConnectionChooser {
    /** {@code threadId % size}. */
    RAW {
        @Override
        long spread(long threadId) {
            return threadId;
        }
    },
    /** The id multiplied by 2^64 over the golden ratio (Fibonacci hashing), its high half kept. */
    MIXED {
        @Override
        long spread(long threadId) {
            return threadId * 0x9E3779B97F4A7C15L >>> 32;
        }
    };

    abstract long spread(long threadId);

    @Override
    public int choose(Candidates candidates) {
        long spread = spread(Thread.currentThread().getId());
        return ReadyProbe.firstReadyFrom((int) (spread % candidates.size()), candidates);
    }
}
