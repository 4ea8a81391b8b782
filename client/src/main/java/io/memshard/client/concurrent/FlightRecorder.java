// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

/** Check whether the JVM has the module {@code jdk.jfr}, which a reduced runtime image may lack. */
public final class FlightRecorder {

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
