// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import java.util.concurrent.atomic.AtomicInteger;

/** The connection whose turn it was when the thread first asked. See {@link ConnectionChooser#stickyRoundRobin()}. */
final class StickyRoundRobinChooser implements ConnectionChooser {

    private final AtomicInteger turn = new AtomicInteger();

    /** The sign bit is masked off, so that every turn has an index. */
    private final ThreadLocal<Integer> turnOfThread =
            ThreadLocal.withInitial(() -> turn.getAndIncrement() & Integer.MAX_VALUE);

    @Override
    public int choose(Candidates candidates) {
        return candidates.firstReadyFrom(turnOfThread.get() % candidates.size());
    }
}
