// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Chooser of the connection that was assigned to the thread on its first call. If {@link Candidates#mayMove} allows it,
 * a thread changes from a busy connection to an idle one. See {@link ConnectionChooser#stickyRoundRobin()}.
 */
final class StickyRoundRobinChooser implements ConnectionChooser {

    /** Number of calls on a busy connection after which a thread checks whether another connection is idle. */
    private static final int CALLS_BEFORE_LOOK = 8;

    private final AtomicInteger turn = new AtomicInteger();

    private final ThreadLocal<Seat> seats = ThreadLocal.withInitial(() -> new Seat(turn.getAndIncrement()));

    /** Assignment of a thread to a connection. Threading: confined to its thread. */
    private static final class Seat {

        /**
         * Number of the thread in the order of the first calls. Its remainder modulo the number of connections is the
         * index, so that threads are spread evenly over any number of connections.
         */
        private final int turn;

        /** Offset that is added to {@link #turn} while the thread may move. */
        private int shift;

        private int callsOnBusy;

        /** Offset from the thread's connection to the other connection that was checked last; 0 before the first. */
        private int step;

        Seat(int turn) {
            this.turn = turn;
        }

        /** Moves the thread from a busy connection to an idle one if it finds one. Returns the index to use. */
        int moved(Candidates candidates) {
            int size = candidates.size();
            int index = ((turn + shift) & Integer.MAX_VALUE) % size;
            if (size == 1 || !isBusy(candidates, index) || ++callsOnBusy < CALLS_BEFORE_LOOK) {
                return index;
            }
            callsOnBusy = 0;
            step = step % (size - 1) + 1;
            int other = (index + step) % size;
            if (!candidates.isReady(other) || candidates.inFlight(other) > 0) {
                return index;
            }
            shift += step;
            return other;
        }

        private static boolean isBusy(Candidates candidates, int index) {
            return candidates.isReady(index) && candidates.inFlight(index) > 0;
        }
    }

    @Override
    public int choose(Candidates candidates) {
        Seat seat = seats.get();
        int index = candidates.mayMove() ? seat.moved(candidates) : (seat.turn & Integer.MAX_VALUE) % candidates.size();
        return candidates.firstReadyFrom(index);
    }
}
