// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Wait of one thread, with the frames of its stack, innermost first. */
public record Wait(WaitKind kind, @Nullable String lockClass, List<String> frames) {

    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.");

    boolean isUnder(String prefix) {
        return frames.stream().anyMatch(frame -> frame.startsWith(prefix));
    }

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

    public enum WaitBucket {
        LOCK,
        /** The thread waited for a pooled client, a permit, or a place in a queue. */
        POOL_EXHAUSTED,
        REPLY,
        /** The thread had nothing to do, or an experiment paused the thread. */
        IDLE,
        UNCLASSIFIED
    }
}
