// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Wait of one thread as JFR reported it, without its times. {@code frames} start at the innermost frame. The class
 * {@code lockClass} is null if the thread parked without a blocker. Threading: immutable.
 */
public record Wait(WaitKind kind, @Nullable String lockClass, List<String> frames) {

    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.");

    boolean isUnder(String prefix) {
        return frames.stream().anyMatch(frame -> frame.startsWith(prefix));
    }

    /**
     * Returns the first frame outside the JDK, where a reader of the code would look. Returns the innermost frame if
     * all frames are in the JDK, and {@code ?} if there is no stack.
     */
    String site() {
        return frames.stream()
                .filter(frame -> JDK.stream().noneMatch(frame::startsWith))
                .findFirst()
                .orElse(frames.isEmpty() ? "?" : frames.get(0));
    }

    /** JFR event that reported a wait. Threading: immutable. */
    public enum WaitKind {
        /** A contended {@code synchronized}. */
        MONITOR_ENTER("jdk.JavaMonitorEnter"),
        /** {@code Object.wait}. */
        MONITOR_WAIT("jdk.JavaMonitorWait"),
        /** {@code LockSupport.park}, which every lock, latch and future of {@code java.util.concurrent} calls. */
        PARK("jdk.ThreadPark");

        final String eventName;

        WaitKind(String eventName) {
            this.eventName = eventName;
        }
    }

    /**
     * Reason for which a thread waited. Only {@link #LOCK} and {@link #POOL_EXHAUSTED} are caused by sharing. A wait
     * for a reply includes queues, the scheduler, the network and the server. Threading: immutable.
     */
    public enum WaitBucket {
        /** Another thread held a monitor, a {@code ReentrantLock} or another exclusive lock. */
        LOCK,
        /** No item was free: no client in the pool, no permit, no place in a bounded queue. */
        POOL_EXHAUSTED,
        /** The command was in flight and its reply had not arrived. */
        REPLY,
        /** A thread of an executor, a timer or the recorder had nothing to do, or an experiment paused a caller. */
        IDLE,
        /** No rule matches this wait. It is shown, so that the rules can be corrected. */
        UNCLASSIFIED
    }
}
