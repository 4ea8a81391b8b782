// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import java.util.concurrent.atomic.AtomicInteger;

/** Chooser of {@link ConnectionChooser#roundRobin()}. */
final class RoundRobinChooser implements ConnectionChooser {

    private final AtomicInteger turn;

    /**
     * Creates a chooser whose counter starts at any number, because the counter wraps around all {@code int} values.
     */
    RoundRobinChooser(int firstTurn) {
        turn = new AtomicInteger(firstTurn);
    }

    @Override
    public int choose(Candidates candidates) {
        // The sign bit is masked off: Math.abs(Integer.MIN_VALUE) is negative.
        int first = (turn.getAndIncrement() & Integer.MAX_VALUE) % candidates.size();
        return candidates.firstReadyFrom(first);
    }
}
