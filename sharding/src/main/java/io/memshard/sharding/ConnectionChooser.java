// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooser of the connection that the next command uses, among the connections to a server.
 *
 * <p>Threading: called by many threads at once; implementations are thread-safe and never block.
 *
 * <p>Ordering: two commands of one thread are executed in order if they use the same connection. With {@link
 * io.memshard.client.options.Transport#AUTO}, both commands must also be blocking, or both must be asynchronous. {@link
 * #stickyRoundRobin} and {@link #threadAffinity} keep a thread on its connection while that connection stays ready.
 */
@FunctionalInterface
public interface ConnectionChooser {

    /** Result of {@link #choose} if no connection is ready. */
    int NONE = -1;

    /**
     * Returns the index of a ready connection, or {@link #NONE} if no connection is ready. An index out of range causes
     * an {@link IllegalStateException} of the command.
     *
     * @param candidates at least two connections, whose states may change during the call
     */
    int choose(Candidates candidates);

    /** Connections to choose from. */
    interface Candidates {

        /** Returns the number of connections, ready or not; at least 2, and constant during a choice. */
        int size();

        /** Returns whether the connection at {@code index} accepts commands now. */
        boolean isReady(int index);

        /** Returns the number of commands in flight on the connection at {@code index}. */
        int inFlight(int index);

        /**
         * Returns {@code first} if that connection is ready, otherwise the next ready index, continuing at 0 after the
         * last index. Returns {@link #NONE} if no connection is ready.
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
     * Returns a chooser that uses each connection in turn, with one counter for all threads. All ready connections get
     * about the same number of commands. Each command costs one contended atomic add.
     */
    static ConnectionChooser roundRobin() {
        return new RoundRobinChooser(0);
    }

    /**
     * Returns a chooser that assigns a connection to each thread at its first call, each connection in turn. The thread
     * keeps this connection, so its commands stay in order.
     *
     * <p>Costs a thread local, with an entry in each thread that ever calls. The connection of a thread that stops
     * calling is not reassigned. Active threads may therefore share one connection while another connection is idle.
     */
    static ConnectionChooser stickyRoundRobin() {
        return new StickyRoundRobinChooser();
    }

    /**
     * Returns a chooser of the connection at {@code threadId % size}, which keeps a thread's commands in order without
     * shared state. All threads whose ids differ by a multiple of the size share one connection; {@link
     * #stickyRoundRobin()} avoids this.
     */
    static ConnectionChooser threadAffinity() {
        return candidates ->
                candidates.firstReadyFrom((int) (Thread.currentThread().getId() % candidates.size()));
    }

    /**
     * Returns a chooser that draws two connections at random and uses the one with fewer commands in flight. Moves load
     * away from a slow connection, for example one with a large value in flight. Source: M. Mitzenmacher, "The Power of
     * Two Choices in Randomized Load Balancing", 2001.
     */
    static ConnectionChooser leastInFlight() {
        return candidates -> {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            int size = candidates.size();
            int one = random.nextInt(size);
            int other = (one + 1 + random.nextInt(size - 1)) % size;
            boolean oneReady = candidates.isReady(one);
            if (oneReady && candidates.isReady(other)) {
                return candidates.inFlight(other) < candidates.inFlight(one) ? other : one;
            }
            return candidates.firstReadyFrom(oneReady ? one : other);
        };
    }
}
