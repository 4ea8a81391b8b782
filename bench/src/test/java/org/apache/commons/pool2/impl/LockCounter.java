// SPDX-License-Identifier: Apache-2.0
package org.apache.commons.pool2.impl;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The acquisitions of the lock of the deque, by the method of the deque that made them, in order.
 *
 * <p>Threading: thread-safe.
 */
public final class LockCounter {

    private static final StackWalker STACK = StackWalker.getInstance();
    private static final List<String> ACQUISITIONS = Collections.synchronizedList(new ArrayList<>());

    private LockCounter() {}

    static void acquired() {
        ACQUISITIONS.add(
                STACK.walk(frames -> frames.filter(frame -> frame.getClassName().endsWith(".LinkedBlockingDeque"))
                        .findFirst()
                        .map(StackWalker.StackFrame::getMethodName)
                        .orElse("outside of the deque")));
    }

    /** Forgets what was counted. */
    public static void clear() {
        ACQUISITIONS.clear();
    }

    /** Methods of the deque, one for each acquisition since {@link #clear}. */
    public static List<String> acquisitions() {
        synchronized (ACQUISITIONS) {
            return List.copyOf(ACQUISITIONS);
        }
    }
}
