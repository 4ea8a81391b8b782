// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import java.util.concurrent.atomic.AtomicInteger;

/** Chooser of {@link ConnectionChooser#stickyRoundRobin()}. */
final class StickyRoundRobinChooser implements ConnectionChooser {

    private final AtomicInteger turn = new AtomicInteger();

    /**
     * Number of the thread in the order of the first calls. The type is one of the JDK: a thread that outlives an
     * application would otherwise keep the class loader of the application.
     */
    private final ThreadLocal<Integer> turns = ThreadLocal.withInitial(turn::getAndIncrement);

    @Override
    public int choose(Candidates candidates) {
        return candidates.firstReadyFrom((turns.get() & Integer.MAX_VALUE) % candidates.size());
    }
}
