// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooser of a connection to a server, for each command.
 *
 * <p>Threading: called by many threads at once; implementations must be thread-safe and never block.
 *
 * <p>Ordering: two commands of one thread are executed in order if they use the same connection. With
 * {@link io.memshard.client.options.Transport#AUTO}, both commands must also be blocking, or both must be asynchronous.
 * {@link #stickyRoundRobin} and {@link #threadAffinity} choose the same connection for all commands of a thread while
 * that connection stays ready.
 */
@FunctionalInterface
public interface ConnectionChooser {

    /** Result of {@link #choose} if no connection is ready. */
    int NONE = -1;

    /**
     * Returns the index of a ready connection, or {@link #NONE} if no connection is ready. If the index is out of
     * range, the command fails with an {@link IllegalStateException}.
     *
     * @param candidates at least two connections, whose states may change during the call
     */
    int choose(Candidates candidates);

    /** Connections to choose from. */
    interface Candidates {

        /** Returns the number of connections, including those that are not ready; constant, and at least 2. */
        int size();

        /** Returns whether the connection at {@code index} accepts commands now. */
        boolean isReady(int index);

        /** Returns the number of commands in flight on the connection at {@code index}. */
        int inFlight(int index);

        /**
         * Returns the index of the first ready connection, beginning at {@code first} and continuing at 0 after the
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
     * Returns a chooser that uses each connection in turn. All ready connections get about the same number of commands.
     * Each command increments a counter that all threads share.
     */
    static ConnectionChooser roundRobin() {
        return new RoundRobinChooser(0);
    }

    /**
     * Returns a chooser that assigns a connection to each thread at the thread's first call. Successive threads get
     * successive connections. A thread keeps its connection, so its commands stay in order.
     *
     * <p>Each thread that has made a call has a value in a thread local. The connection of a thread that stops calling
     * is not reassigned. Active threads may therefore share one connection while another connection is idle.
     */
    static ConnectionChooser stickyRoundRobin() {
        return new StickyRoundRobinChooser();
    }

    /**
     * Returns a chooser of the connection at index {@code threadId % size}. The commands of a thread stay in order, and
     * the threads share no counter. Threads whose ids differ by a multiple of the size share one connection;
     * {@link #stickyRoundRobin()} avoids this.
     */
    static ConnectionChooser threadAffinity() {
        return candidates ->
                candidates.firstReadyFrom((int) (Thread.currentThread().getId() % candidates.size()));
    }

    /**
     * Returns a chooser that draws two connections at random and uses the one with fewer commands in flight. A slow
     * connection, for example one with a large value in flight, therefore gets fewer commands. Source: Mitzenmacher,
     * "The Power of Two Choices in Randomized Load Balancing", 2001.
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
