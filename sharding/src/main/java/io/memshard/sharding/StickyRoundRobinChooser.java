// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import java.util.concurrent.atomic.AtomicInteger;

final class StickyRoundRobinChooser implements ConnectionChooser {

    private final AtomicInteger turn = new AtomicInteger();

    /** Number of each calling thread. A value of our own class would keep an application's class loader alive. */
    private final ThreadLocal<Integer> turns = ThreadLocal.withInitial(turn::getAndIncrement);

    @Override
    public int choose(Candidates candidates) {
        return candidates.firstReadyFrom((turns.get() & Integer.MAX_VALUE) % candidates.size());
    }
}
