// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

/**
 * The JFR event that reported a wait.
 *
 * <p>Threading: immutable.
 */
public enum WaitKind {
    /** A contended {@code synchronized}. */
    MONITOR_ENTER("jdk.JavaMonitorEnter", "monitorClass"),
    /** {@code Object.wait}. */
    MONITOR_WAIT("jdk.JavaMonitorWait", "monitorClass"),
    /** {@code LockSupport.park}, under every lock, latch and future of {@code java.util.concurrent}. */
    PARK("jdk.ThreadPark", "parkedClass");

    private final String eventName;
    private final String classField;

    WaitKind(String eventName, String classField) {
        this.eventName = eventName;
        this.classField = classField;
    }

    /** Name of the event type. */
    public String eventName() {
        return eventName;
    }

    /** The event's field that holds the class of the lock, monitor or blocker. */
    String classField() {
        return classField;
    }
}
