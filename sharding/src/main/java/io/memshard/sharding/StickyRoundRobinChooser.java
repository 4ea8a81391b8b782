// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import java.util.concurrent.atomic.AtomicInteger;

/** Chooser that assigns connections to threads in turn. See {@link ConnectionChooser#stickyRoundRobin()}. */
final class StickyRoundRobinChooser implements ConnectionChooser {

    private final AtomicInteger turn = new AtomicInteger();

    /**
     * Number of the thread in the order of the first calls. A class of the JDK, because a thread that outlives an
     * application keeps the value, and so the class loader of its class.
     */
    private final ThreadLocal<Integer> turns = ThreadLocal.withInitial(turn::getAndIncrement);

    @Override
    public int choose(Candidates candidates) {
        return candidates.firstReadyFrom((turns.get() & Integer.MAX_VALUE) % candidates.size());
    }
}
