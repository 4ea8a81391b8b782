// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Chooser that selects one of the connections to a server for each command.
 *
 * <p>Threading: called by many threads at once; implementations must be thread-safe and must not block.
 *
 * <p>Ordering: two commands of one thread are executed in order if they use the same connection. With
 * {@link io.memshard.client.options.Transport#AUTO}, a blocking and an asynchronous command may still be executed in
 * either order. {@link #stickyRoundRobin} and {@link #threadAffinity} choose the same connection for all commands of a
 * thread while that connection stays ready.
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
         * Returns the index of the first ready connection, or {@link #NONE} if no connection is ready. The search
         * begins at {@code first}, and continues at 0 after the last index.
         *
         * @param first the index where the search begins, from 0 to {@link #size} - 1
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
     * Returns a chooser that uses each connection in turn: a thread sends 16 commands over a connection, and then uses
     * the next one. All ready connections get about the same number of commands of each thread. With a change at each
     * command, the server would get fewer commands in one packet.
     */
    static ConnectionChooser roundRobin() {
        AtomicInteger turn = new AtomicInteger();
        ThreadLocal<int[]> sent = ThreadLocal.withInitial(() -> new int[] {turn.getAndIncrement() << 4});
        return candidates -> candidates.firstReadyFrom((sent.get()[0]++ >>> 4) % candidates.size());
    }

    /**
     * Returns a chooser that assigns a connection to each thread at the thread's first call. The connections are
     * assigned to new threads in turn. A thread keeps its connection, so its commands stay in order.
     *
     * <p>A {@link ThreadLocal} keeps a number for each calling thread. When threads end, the connections of the
     * remaining threads do not change. These threads may therefore share one connection while another connection is
     * idle.
     */
    static ConnectionChooser stickyRoundRobin() {
        return new StickyRoundRobinChooser();
    }

    /**
     * Returns a chooser that uses the connection at index {@code threadId % size}. The commands of a thread stay in
     * order, and the threads share no counter. Threads whose ids differ by a multiple of {@code size} share one
     * connection; {@link #stickyRoundRobin()} avoids this.
     */
    static ConnectionChooser threadAffinity() {
        return candidates ->
                candidates.firstReadyFrom((int) (Thread.currentThread().getId() % candidates.size()));
    }

    /**
     * Returns a chooser that draws two connections at random and uses the connection with fewer commands in flight. A
     * slow connection, for example during the transfer of a large value, therefore gets fewer commands. Source:
     * Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing", 2001.
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
