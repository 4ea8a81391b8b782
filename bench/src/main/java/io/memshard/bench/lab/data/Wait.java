// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Wait of one thread. The innermost frame comes first; a park without a blocker has no {@code lockClass}. */
public record Wait(WaitKind kind, @Nullable String lockClass, List<String> frames) {

    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.");

    boolean isUnder(String prefix) {
        return frames.stream().anyMatch(frame -> frame.startsWith(prefix));
    }

    /** Returns the first frame outside the JDK, or else the innermost frame; {@code ?} without a stack. */
    String site() {
        return frames.stream()
                .filter(frame -> JDK.stream().noneMatch(frame::startsWith))
                .findFirst()
                .orElse(frames.isEmpty() ? "?" : frames.get(0));
    }

    public enum WaitKind {
        MONITOR_ENTER("jdk.JavaMonitorEnter"),
        MONITOR_WAIT("jdk.JavaMonitorWait"),
        PARK("jdk.ThreadPark");

        final String eventName;

        WaitKind(String eventName) {
            this.eventName = eventName;
        }
    }

    /** Reason for a wait. Only {@link #LOCK} and {@link #POOL_EXHAUSTED} are caused by sharing. */
    public enum WaitBucket {
        /** Another thread held a monitor, a {@code ReentrantLock} or another exclusive lock. */
        LOCK,
        /** No item was free: no client in the pool, no permit, no place in a bounded queue. */
        POOL_EXHAUSTED,
        REPLY,
        /** A thread of an executor, a timer or the recorder had nothing to do, or an experiment paused a caller. */
        IDLE,
        UNCLASSIFIED
    }
}
