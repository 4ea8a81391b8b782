// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Place and means of a measurement: what a reader needs to repeat or to doubt it. Threading: immutable.
 *
 * @param startedAt when the measurement began
 * @param cpus processors that the JVM sees
 * @param cpuModel as the kernel names it, "unknown" where it does not
 * @param kernel name, version and architecture of the operating system
 * @param jdk vendor, version and virtual machine
 * @param jvmFlags arguments of this JVM, as given
 * @param server address of the server, {@code host:port}
 * @param serverSource how the server was found
 * @param serverVersion its answer to {@code version}
 * @param serverFlags threads, connections and memory that it is set to, as memcached's options; null if
 *     it does not tell
 * @param loadAverage of the last minute when the measurement began, negative if unknown
 * @param stealFraction share of CPU time taken by the host over the whole measurement, 0 to 1
 * @param gitCommit the commit that was built; null if unknown
 * @param dirty whether files differed from that commit
 * @param command what to type to repeat it
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

    /** Suffix of a commit from which files differed. */
    public static final String DIRTY = "-dirty";

    /** Remark in the source of a server that is no memcached. */
    public static final String NO_MEMCACHED = "it is no memcached, and figures of it are not to be published";

    /** Returns whether the server was a real memcached, as far as is known. */
    public boolean isMemcached() {
        return !serverSource.contains(NO_MEMCACHED);
    }

    /** Returns the commit, with {@value #DIRTY} if files differed; "unknown" if it was not given. */
    public String commit() {
        return gitCommit == null ? "unknown" : dirty ? gitCommit + DIRTY : gitCommit;
    }

    /** Returns the time, the build, the machine and the JVM as lines of a Markdown list. */
    public String machineLines() {
        return "- " + startedAt + ", commit " + commit() + "\n- " + cpus + " CPUs, " + cpuModel + "; " + kernel + "\n- "
                + jdk + "; " + String.join(" ", jvmFlags) + "\n";
    }

    /** Returns the other work of the machine, and the command, as lines of a Markdown list. */
    public String loadLines() {
        return String.format(
                        Locale.ROOT,
                        "- load average %.1f at the start; %.1f %% of CPU time stolen by the host\n",
                        loadAverage,
                        stealFraction * 100)
                + "- again: `" + command + "`\n";
    }
}
