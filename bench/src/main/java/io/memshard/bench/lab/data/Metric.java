// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import io.memshard.bench.statistics.Sample;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Figures that are computed from the result of a fork, by name. */
public final class Metric {

    public static final String THROUGHPUT = "throughput";
    public static final String DRIFT = "drift";

    /** Calls per second in the second half of the measurement, if the halves were counted. */
    public static final String LATE_THROUGHPUT = "late_throughput";

    /** Growth of the throughput between the halves of a measurement above which the warm-up was too short. */
    public static final double MOST_DRIFT = 1.1;

    private static final Map<String, ToDoubleFunction<ForkResult>> DERIVED = Map.ofEntries(
            Map.entry(THROUGHPUT, fork -> fork.get(Measure.CYCLES) / fork.get(Measure.SECONDS)),
            Map.entry(LATE_THROUGHPUT, Metric::late),
            Map.entry("busy_cpus", fork -> fork.get(Measure.CPU_SECONDS) / fork.get(Measure.SECONDS)),
            Map.entry(
                    "cycles_per_core_second",
                    fork -> fork.get(Measure.CYCLES)
                            / (fork.get(Measure.CPU_SECONDS) + fork.get(Measure.SERVER_CPU_SECONDS))),
            Map.entry("client_cpu_us", fork -> 1e6 * fork.get(Measure.CPU_SECONDS) / fork.get(Measure.CYCLES)),
            Map.entry("server_cpu_us", fork -> 1e6 * fork.get(Measure.SERVER_CPU_SECONDS) / fork.get(Measure.CYCLES)),
            Map.entry("switches_per_cycle", fork -> fork.get(Measure.SWITCHES) / fork.get(Measure.CYCLES)),
            Map.entry("bytes_per_cycle", fork -> fork.get(Measure.ALLOCATED_BYTES) / fork.get(Measure.CYCLES)),
            Map.entry("all_bytes_per_cycle", fork -> fork.get(Measure.ALL_ALLOCATED_BYTES) / fork.get(Measure.CYCLES)),
            Map.entry("gc_per_second", fork -> fork.get(Measure.GC_COUNT) / fork.get(Measure.SECONDS)),
            Map.entry(
                    "jain",
                    fork -> Sample.jain(fork.cyclesByCaller().stream()
                            .mapToDouble(Long::doubleValue)
                            .toArray())),
            Map.entry("little", Metric::little));

    private Metric() {}

    public static double of(String name, ForkResult fork) {
        ToDoubleFunction<ForkResult> derived = DERIVED.get(name);
        if (derived != null) {
            return derived.applyAsDouble(fork);
        }
        Double figure = fork.figures().get(name);
        if (figure != null) {
            return figure;
        }
        for (Measure measure : Measure.values()) {
            if (measure.column().equals(name.toLowerCase(Locale.ROOT))) {
                return fork.get(measure);
            }
        }
        return Double.NaN;
    }

    private static double late(ForkResult fork) {
        double drift = of(DRIFT, fork);
        return of(THROUGHPUT, fork) * (Double.isNaN(drift) ? 1 : 2 * drift / (1 + drift));
    }

    /** Returns throughput times mean time, per thread. By Little's law, the result is 1 if no thread pauses. */
    private static double little(ForkResult fork) {
        return of(THROUGHPUT, fork)
                * fork.get(Measure.MEAN_US)
                / 1e6
                / fork.key().condition().threads();
    }
}
