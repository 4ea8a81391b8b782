// SPDX-License-Identifier: Apache-2.0
package org.apache.commons.pool2.impl;

import java.util.Collection;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stands before the class of the same name in Commons Pool on the class path of the tests, does what
 * that does and tells {@link LockCounter} of every acquisition. It is the one lock of the deque in which
 * {@code GenericObjectPool} keeps its idle objects.
 */
class InterruptibleReentrantLock extends ReentrantLock {

    InterruptibleReentrantLock(boolean fairness) {
        super(fairness);
    }

    @Override
    public void lock() {
        LockCounter.acquired();
        super.lock();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        LockCounter.acquired();
        super.lockInterruptibly();
    }

    /** Called by the deque when the pool closes. */
    public void interruptWaiters(Condition condition) {
        Collection<Thread> waiters = getWaitingThreads(condition);
        waiters.forEach(Thread::interrupt);
    }
}
