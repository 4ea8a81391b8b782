// SPDX-License-Identifier: Apache-2.0
package org.apache.commons.pool2.impl;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stands before the class of the same name in Commons Pool on the class path of the tests, and counts every
 * acquisition. It is the one lock of the deque in which {@code GenericObjectPool} keeps its idle objects.
 */
public class InterruptibleReentrantLock extends ReentrantLock {

    /** The methods of the deque that acquired the lock, in order. */
    public static final List<String> ACQUISITIONS = new CopyOnWriteArrayList<>();

    InterruptibleReentrantLock(boolean fairness) {
        super(fairness);
    }

    private static void count() {
        ACQUISITIONS.add(StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> frame.getClassName().endsWith(".LinkedBlockingDeque"))
                        .findFirst()
                        .map(StackWalker.StackFrame::getMethodName)
                        .orElse("outside of the deque")));
    }

    @Override
    public void lock() {
        count();
        super.lock();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        count();
        super.lockInterruptibly();
    }

    /** Called by the deque when the pool closes. */
    public void interruptWaiters(Condition condition) {
        getWaitingThreads(condition).forEach(Thread::interrupt);
    }
}
