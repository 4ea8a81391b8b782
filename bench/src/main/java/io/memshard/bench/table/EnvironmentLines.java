// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.table;

import io.memshard.bench.result.Environment;
import java.util.Locale;

/** An environment as lines of a Markdown list. Threading: stateless. */
public final class EnvironmentLines {

    private EnvironmentLines() {}

    /** Returns the time, the build, the machine and the JVM. */
    public static String machine(Environment environment) {
        return format("- %s, commit %s\n", environment.startedAt(), environment.commit())
                + format("- %d CPUs, %s; %s\n", environment.cpus(), environment.cpuModel(), environment.kernel())
                + format("- %s; %s\n", environment.jdk(), String.join(" ", environment.jvmFlags()));
    }

    /** Returns what else the machine did, and the command. */
    public static String load(Environment environment) {
        return format(
                        "- load average %.1f at the start; %.1f %% of CPU time stolen by the host\n",
                        environment.loadAverage(), environment.stealFraction() * 100)
                + format("- again: `%s`\n", environment.command());
    }

    @SuppressWarnings("AnnotateFormatMethod") // The annotation is of a library that is not worth having for it.
    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
