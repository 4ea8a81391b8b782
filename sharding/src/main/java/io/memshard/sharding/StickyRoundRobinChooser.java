// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Chooses the connection assigned to the thread on its first call, or later an idle one if the thread may move. See
 * {@link ConnectionChooser#stickyRoundRobin()}.
 */
final class StickyRoundRobinChooser implements ConnectionChooser {

    /** Number of calls on a busy connection after which a thread looks at another one. */
    private static final int CALLS_BEFORE_LOOK = 8;

    private final AtomicInteger turn = new AtomicInteger();

    private final ThreadLocal<Seat> seats = ThreadLocal.withInitial(() -> new Seat(turn.getAndIncrement()));

    /** Place of a thread. Threading: confined to its thread. */
    private static final class Seat {

        /** Turn of the thread. Its remainder is the index, so that threads stay spread when the size changes. */
        private int turn;

        private int callsOnBusy;

        /** Distance of the connection to look at. */
        private int step;

        Seat(int turn) {
            this.turn = turn;
        }

        int index(int size) {
            return (turn & Integer.MAX_VALUE) % size;
        }
    }

    @Override
    public int choose(Candidates candidates) {
        Seat seat = seats.get();
        int index = seat.index(candidates.size());
        if (candidates.mayMove() && candidates.inFlight(index) > 0) {
            index = moved(seat, index, candidates);
        }
        return candidates.firstReadyFrom(index);
    }

    /** Moves a thread whose connection is busy to an idle one. Looks at one other connection, and not at each call. */
    private static int moved(Seat seat, int index, Candidates candidates) {
        int size = candidates.size();
        if (size == 1 || ++seat.callsOnBusy < CALLS_BEFORE_LOOK) {
            return index;
        }
        seat.callsOnBusy = 0;
        seat.step = seat.step % (size - 1) + 1;
        int other = (index + seat.step) % size;
        if (!candidates.isReady(other) || candidates.inFlight(other) > 0) {
            return index;
        }
        seat.turn += seat.step;
        return seat.index(size);
    }
}
