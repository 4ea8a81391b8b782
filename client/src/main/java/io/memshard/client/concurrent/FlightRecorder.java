// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

/** Check for the Flight Recorder. An image of the JVM may lack the module {@code jdk.jfr}. */
public final class FlightRecorder {

    /** True if events can be created. If false, the classes of the events must not be used. */
    public static final boolean IS_PRESENT = isPresent();

    private FlightRecorder() {}

    private static boolean isPresent() {
        try {
            Class.forName("jdk.jfr.Event", false, FlightRecorder.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
