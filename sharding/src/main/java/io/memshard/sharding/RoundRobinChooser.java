// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import java.util.concurrent.atomic.AtomicInteger;

final class RoundRobinChooser implements ConnectionChooser {

    private final AtomicInteger turn;

    RoundRobinChooser(int firstTurn) {
        turn = new AtomicInteger(firstTurn);
    }

    @Override
    public int choose(Candidates candidates) {
        // Math.abs would return a negative number for Integer.MIN_VALUE.
        int first = (turn.getAndIncrement() & Integer.MAX_VALUE) % candidates.size();
        return candidates.firstReadyFrom(first);
    }
}
