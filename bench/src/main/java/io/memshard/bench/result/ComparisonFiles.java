// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import io.memshard.bench.result.Csv.CsvField;
import io.memshard.bench.result.SliceResult.Fairness;
import io.memshard.bench.result.SliceResult.Latency;
import io.memshard.bench.result.SliceResult.Readings;
import io.memshard.bench.result.SliceResult.Scheduling;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Comparison as two files in a folder. {@value #SLICES} has a row for each slice, and {@value #ENVIRONMENT} has a row
 * for each fact about the machine and the plan. All published figures are computed from these two files.
 *
 * <p>Columns and facts are found by their names, and unknown names are ignored. So another tool may add columns. Files
 * of older versions lack some columns: those runs had a single JVM and fewer measurements. Threading: stateless.
 * Failure: {@link UncheckedIOException} naming the file.
 */
public final class ComparisonFiles {

    /** The file with one row for each slice. */
    public static final String SLICES = "slices.csv";

    /** The file with one row for each fact. */
    public static final String ENVIRONMENT = "environment.csv";

    private static final List<CsvField<SliceResult>> COLUMNS = List.of(
            new CsvField<>("callers", slice -> slice.condition().callers()),
            new CsvField<>("threads", slice -> slice.condition().threads()),
            new CsvField<>("in_flight", slice -> slice.condition().inFlight()),
            new CsvField<>("load", slice -> slice.condition().load()),
            new CsvField<>("value_bytes", slice -> slice.condition().valueSize()),
            new CsvField<>("fork", SliceResult::fork),
            new CsvField<>("round", SliceResult::round),
            new CsvField<>("position", SliceResult::position),
            new CsvField<>("contender", SliceResult::contender),
            new CsvField<>("connections", SliceResult::connections),
            new CsvField<>("elapsed_ns", SliceResult::elapsedNanos),
            new CsvField<>("operations", SliceResult::operations),
            new CsvField<>("errors", SliceResult::errors),
            new CsvField<>("timeouts", SliceResult::timeouts),
            new CsvField<>("wrong_values", SliceResult::wrongValues),
            new CsvField<>("client_cpu_ns", SliceResult::cpuNanos),
            new CsvField<>("server_cpu_ns", slice -> slice.readings().serverCpuNanos()),
            new CsvField<>("steal", slice -> slice.readings().stealFraction()),
            new CsvField<>("switches", slice -> slice.readings().switches()),
            new CsvField<>("hiccup_p99_us", slice -> slice.readings().hiccupP99Micros()),
            new CsvField<>("hiccup_max_us", slice -> slice.readings().hiccupMaxMicros()),
            new CsvField<>("interrupts", slice -> slice.readings().scheduling().interrupts()),
            new CsvField<>("migrations", slice -> slice.readings().scheduling().migrations()),
            new CsvField<>("idle", slice -> slice.readings().scheduling().idleFraction()),
            new CsvField<>(
                    "busiest_worker_cpu_ns",
                    slice -> slice.readings().scheduling().busiestWorkerNanos()),
            new CsvField<>("jain", slice -> slice.fairness().jain()),
            new CsvField<>("least_operations", slice -> slice.fairness().least()),
            new CsvField<>("most_operations", slice -> slice.fairness().most()),
            new CsvField<>("p50_us", slice -> slice.latency().p50Micros()),
            new CsvField<>("p99_us", slice -> slice.latency().p99Micros()),
            new CsvField<>("p999_us", slice -> slice.latency().p999Micros()),
            new CsvField<>("max_us", slice -> slice.latency().maxMicros()));

    private static final List<CsvField<ComparisonResult.Plan>> PLAN = List.of(
            new CsvField<>("profile", ComparisonResult.Plan::profile),
            new CsvField<>("pool_size", ComparisonResult.Plan::poolSize),
            new CsvField<>("forks", ComparisonResult.Plan::forks),
            new CsvField<>("rounds", ComparisonResult.Plan::rounds),
            new CsvField<>("slice_ms", ComparisonResult.Plan::sliceMillis),
            new CsvField<>("keys", ComparisonResult.Plan::keys),
            new CsvField<>("seed", ComparisonResult.Plan::seed),
            new CsvField<>("contenders", plan -> String.join(" ", plan.contenders())),
            new CsvField<>("busy", ComparisonResult.Plan::busy));

    private ComparisonFiles() {}

    /** Returns whether {@code folder} holds a comparison. */
    public static boolean isIn(Path folder) {
        return Csv.isThere(folder.resolve(SLICES));
    }

    /** Writes {@code slices} alone to {@code file}, as one fork of a comparison does. */
    public static void writeSlices(Path file, List<SliceResult> slices) {
        Csv.writeEach(file, COLUMNS, slices);
    }

    /** Reads a file that {@link #writeSlices} wrote. */
    public static List<SliceResult> readSlices(Path file) {
        return Csv.read(file).stream().map(ComparisonFiles::slice).toList();
    }

    /** Writes both files into {@code folder}, which is created if it does not exist. */
    public static void write(Path folder, ComparisonResult result) {
        writeSlices(folder.resolve(SLICES), result.slices());
        EnvironmentFile.write(folder.resolve(ENVIRONMENT), result.environment(), PLAN, result.plan());
    }

    /** Reads the comparison that {@link #write} wrote into {@code folder}. */
    public static ComparisonResult read(Path folder) {
        CsvRow facts = EnvironmentFile.read(folder.resolve(ENVIRONMENT));
        return new ComparisonResult(
                EnvironmentFile.environment(facts), plan(facts), readSlices(folder.resolve(SLICES)));
    }

    private static ComparisonResult.Plan plan(CsvRow facts) {
        return new ComparisonResult.Plan(
                facts.text("profile"),
                facts.integer("pool_size"),
                facts.integerOr(1, "forks"),
                facts.integer("rounds"),
                facts.number("slice_ms"),
                facts.integer("keys"),
                facts.number("seed"),
                facts.words("contenders"),
                facts.values().getOrDefault("busy", ""));
    }

    private static SliceResult slice(CsvRow row) {
        return new SliceResult(
                new Condition(
                        row.integer("threads"),
                        row.integer("value_bytes"),
                        row.constant("load", Condition.Load.class),
                        row.constant("callers", Condition.Callers.class),
                        row.integer("in_flight")),
                row.integerOr(1, "fork"),
                row.integer("round"),
                row.integer("position"),
                row.text("contender"),
                row.integer("connections"),
                row.number("elapsed_ns"),
                row.number("operations"),
                row.number("errors"),
                row.number("timeouts"),
                row.number("wrong_values"),
                row.number("client_cpu_ns"),
                new Latency(
                        row.decimal("p50_us"), row.decimal("p99_us"), row.decimal("p999_us"), row.decimal("max_us")),
                new Fairness(
                        row.decimalOrNaN("jain"),
                        row.decimalOrNaN("least_operations"),
                        row.decimalOrNaN("most_operations")),
                new Readings(
                        row.decimalOrNaN("server_cpu_ns"),
                        row.decimalOrNaN("switches"),
                        row.decimalOrNaN("hiccup_p99_us"),
                        row.decimalOrNaN("hiccup_max_us"),
                        row.decimal("steal"),
                        new Scheduling(
                                row.decimalOrNaN("interrupts"),
                                row.decimalOrNaN("migrations"),
                                row.decimalOrNaN("idle"),
                                row.decimalOrNaN("busiest_worker_cpu_ns"))));
    }
}
