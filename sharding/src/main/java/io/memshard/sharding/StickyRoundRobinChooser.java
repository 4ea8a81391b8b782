// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import java.util.concurrent.atomic.AtomicInteger;

/** Chooser of {@link ConnectionChooser#stickyRoundRobin()}. */
final class StickyRoundRobinChooser implements ConnectionChooser {

    private final AtomicInteger turn = new AtomicInteger();

    /** Number of the calling thread. A type of the JDK, so that no thread keeps the class loader of an application. */
    private final ThreadLocal<Integer> turns = ThreadLocal.withInitial(turn::getAndIncrement);

    @Override
    public int choose(Candidates candidates) {
        return candidates.firstReadyFrom((turns.get() & Integer.MAX_VALUE) % candidates.size());
    }
}
