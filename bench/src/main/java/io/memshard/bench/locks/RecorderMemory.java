// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Gives the flight recorder room for a whole load window. By default it has ten megabytes and a thread that empties
 * them to disk. Where callers outnumber processors, that thread comes too late. Events of the fastest contenders are
 * then dropped.
 *
 * <p>Threading: thread-safe.
 */
final class RecorderMemory {

    private static final String[] SIZE = {"globalbuffercount=256", "globalbuffersize=512k", "thread_buffer_size=64k"};

    private RecorderMemory() {}

    /**
     * Reserves it, as {@code jcmd JFR.configure} does. Has an effect only before the first recording of this process.
     * Afterwards, or in a JVM without diagnostic commands, nothing happens. A recording that is incomplete says so by
     * {@code jdk.DataLoss}.
     */
    static void reserve() {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "jfrConfigure",
                            new Object[] {SIZE},
                            new String[] {String[].class.getName()});
        } catch (JMException | RuntimeException e) {
            // The default is still there.
        }
    }
}
