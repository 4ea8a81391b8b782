// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Machine and programs of a measurement, which a reader needs to know to repeat or to question it. Threading:
 * immutable.
 *
 * @param startedAt time at which the measurement began
 * @param cpus number of processors that the JVM sees
 * @param cpuModel processor as the kernel names it; "unknown" if it does not
 * @param kernel name, version and architecture of the operating system
 * @param jdk vendor, version and virtual machine
 * @param jvmFlags arguments of this JVM, as given
 * @param server address of the server, {@code host:port}
 * @param serverSource description of how the server was found
 * @param serverVersion the server's answer to {@code version}
 * @param serverFlags settings of the server for threads, connections and memory, as memcached's options; null if
 *     unknown
 * @param loadAverage load average of the minute before the measurement; negative if unknown
 * @param stealFraction share of CPU time taken by the host over the whole measurement, 0 to 1
 * @param gitCommit the commit that was built; null if unknown
 * @param dirty true if files differed from that commit
 * @param command command line that repeats the measurement
 */
public record Environment(
        Instant startedAt,
        int cpus,
        String cpuModel,
        String kernel,
        String jdk,
        List<String> jvmFlags,
        String server,
        String serverSource,
        String serverVersion,
        @Nullable String serverFlags,
        double loadAverage,
        double stealFraction,
        @Nullable String gitCommit,
        boolean dirty,
        String command) {

    /** Suffix of a commit if files differed from it. */
    public static final String DIRTY = "-dirty";

    /** Remark in {@link #serverSource()} for a server that is not memcached. */
    public static final String NO_MEMCACHED = "it is no memcached, and figures of it are not to be published";

    /** Returns whether the server was a real memcached, as far as is known. */
    public boolean isMemcached() {
        return !serverSource.contains(NO_MEMCACHED);
    }

    /** Returns the commit, with {@value #DIRTY} if files differed; "unknown" if it was not given. */
    public String commit() {
        return gitCommit == null ? "unknown" : dirty ? gitCommit + DIRTY : gitCommit;
    }

    /** Returns time, commit, machine and JVM as lines of a Markdown list. */
    public String machineLines() {
        return "- " + startedAt + ", commit " + commit() + "\n- " + cpus + " CPUs, " + cpuModel + "; " + kernel + "\n- "
                + jdk + "; " + String.join(" ", jvmFlags) + "\n";
    }

    /** Returns load average, stolen CPU time and command as lines of a Markdown list. */
    public String loadLines() {
        return String.format(
                        Locale.ROOT,
                        "- load average %.1f at the start; %.1f %% of CPU time stolen by the host\n",
                        loadAverage,
                        stealFraction * 100)
                + "- again: `" + command + "`\n";
    }
}
