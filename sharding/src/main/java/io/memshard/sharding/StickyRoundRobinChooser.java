// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Chooses the connection assigned to the thread on its first call. See {@link ConnectionChooser#stickyRoundRobin()}.
 */
final class StickyRoundRobinChooser implements ConnectionChooser {

    private final AtomicInteger turn = new AtomicInteger();

    /** Turn of each thread. The sign bit is masked off, so that every turn has an index. */
    private final ThreadLocal<Integer> turnOfThread =
            ThreadLocal.withInitial(() -> turn.getAndIncrement() & Integer.MAX_VALUE);

    @Override
    public int choose(Candidates candidates) {
        return candidates.firstReadyFrom(turnOfThread.get() % candidates.size());
    }
}
