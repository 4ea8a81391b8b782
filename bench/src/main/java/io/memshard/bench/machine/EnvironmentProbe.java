// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.machine;

import io.memshard.bench.result.Environment;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Recorder of the environment of a measurement, created at its start and read after its end.
 *
 * <p>Threading: confined to one thread.
 */
public final class EnvironmentProbe {

    /** System property with the commit that was built; {@code bench/run} sets it. */
    static final String COMMIT_PROPERTY = "memshard.bench.commit";

    /** Start of the properties that {@code bench/run} sets internally, which are of no interest to a reader. */
    private static final String OWN_PROPERTIES = "-Dmemshard.bench.";

    private final Instant startedAt = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final Meter start = Meter.read();
    private final double loadAverage =
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();

    /** Returns the environment between the creation of this probe and now; {@code command} repeats the measurement. */
    public Environment environmentWithoutServer(String command) {
        List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> !flag.startsWith(OWN_PROPERTIES))
                .toList();
        String built = System.getProperty(COMMIT_PROPERTY, "");
        return new Environment(
                startedAt,
                Runtime.getRuntime().availableProcessors(),
                cpuModel(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                System.getProperty("java.vendor") + " " + System.getProperty("java.vm.name") + " "
                        + System.getProperty("java.vm.version"),
                flags,
                "none",
                "none is needed",
                "none",
                null,
                loadAverage,
                Meter.read().stealFractionSince(start),
                built.isBlank() ? null : built.replace(Environment.DIRTY, ""),
                built.endsWith(Environment.DIRTY),
                command);
    }

    private static String cpuModel() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
