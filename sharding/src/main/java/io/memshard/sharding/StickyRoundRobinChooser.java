// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import java.util.concurrent.atomic.AtomicInteger;

final class StickyRoundRobinChooser implements ConnectionChooser {

    private final AtomicInteger turn = new AtomicInteger();

    /** Number of each thread; not an object of our class, which would keep an application's class loader alive. */
    private final ThreadLocal<Integer> turns = ThreadLocal.withInitial(turn::getAndIncrement);

    @Override
    public int choose(Candidates candidates) {
        return candidates.firstReadyFrom((turns.get() & Integer.MAX_VALUE) % candidates.size());
    }
}
