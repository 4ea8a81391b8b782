// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

/**
 * Chooses which connection of an array takes the next command, skipping those that are not ready.
 *
 * <p>This choice takes the place of a pool's borrow and return: it takes no lock, and nothing is given back.
 *
 * <p>Threading: called by every calling thread at once; implementations are thread-safe and never block.
 *
 * <p>Ordering: two commands of one thread are executed in order when they go to the same connection. With
 * {@link io.memshard.client.options.Transport#AUTO} they must also be both blocking or both asynchronous. The
 * thread-affine choosers give that as long as the connection stays ready; the others do not.
 */
@FunctionalInterface
public interface ConnectionChooser {

    /** What {@link #choose} returns when no connection is ready. */
    int NONE = -1;

    /**
     * The index of a ready connection, or {@link #NONE} if no connection is ready. Any other number fails the command
     * with an {@link IllegalStateException}.
     *
     * @param candidates the array, whose states may change while this runs; never empty
     */
    int choose(Candidates candidates);

    /** The connections to choose from, as a chooser sees them. */
    interface Candidates {

        /** How many connections there are, ready or not; at least 1 and constant. */
        int size();

        /** Whether the connection at {@code index} takes commands now. */
        boolean isReady(int index);

        /** How many commands the connection at {@code index} has in flight. */
        int inFlight(int index);

        /**
         * {@code first} if it is ready, else the next ready index after it, around the array; {@link #NONE} if no
         * connection is ready.
         *
         * @param first from 0 to {@link #size} - 1
         */
        default int firstReadyFrom(int first) {
            if (isReady(first)) {
                return first;
            }
            int size = size();
            for (int step = 1; step < size; step++) {
                int index = (first + step) % size;
                if (isReady(index)) {
                    return index;
                }
            }
            return NONE;
        }
    }

    /**
     * Each connection in its turn, by one counter shared by all threads.
     *
     * <p>The load is even, whatever the threads do. The price is one contended atomic add for each command.
     */
    static ConnectionChooser roundRobin() {
        return new RoundRobinChooser(0);
    }

    /**
     * Each thread is given the next connection in turn when it first asks, and stays on it.
     *
     * <p>Keeps a thread's commands in order and spreads threads evenly, whatever their ids are. The price is a thread
     * local, with an entry in each thread that ever calls. Threads that are given a connection and then stop calling
     * leave their places empty.
     */
    static ConnectionChooser stickyRoundRobin() {
        return new StickyRoundRobinChooser();
    }

    /**
     * The connection at {@code threadId % size}: a thread stays on its connection.
     *
     * <p>Costs nothing and keeps a thread's commands in order. But ids that differ by a multiple of the size collapse
     * onto one connection: see {@link #stickyRoundRobin()}.
     */
    static ConnectionChooser threadAffinity() {
        return ThreadAffinityChooser.RAW;
    }

    /**
     * As {@link #threadAffinity()}, over a mixed thread id, so that strided ids spread. A few threads may still share a
     * connection while another idles.
     */
    static ConnectionChooser mixedThreadAffinity() {
        return ThreadAffinityChooser.MIXED;
    }

    /**
     * Of two connections drawn at random, the one with fewer commands in flight.
     *
     * <p>Moves load away from a connection that is slow, for example because of a large value on it. Source: M.
     * Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing", 2001.
     */
    static ConnectionChooser leastInFlight() {
        return new LeastInFlightChooser();
    }
}
