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

        /** Turn of the thread. Its remainder is the index, so that threads are spread evenly over any size. */
        private final int turn;

        /** Distance from there where the thread may move. */
        private int shift;

        private int callsOnBusy;

        /** Distance of the connection to look at. */
        private int step;

        Seat(int turn) {
            this.turn = turn;
        }

        /** Moves the thread from a busy connection to an idle one, if it finds one. Returns the index. */
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
