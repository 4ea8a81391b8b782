// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A comparison as two files of a folder: {@value #SLICES}, a row for each slice, and {@value #ENVIRONMENT}, a row for
 * each fact about the machine and the plan. Everything that is published follows from these two.
 *
 * <p>Columns and facts are found by their names, and names that are not known are ignored. So another tool may add
 * columns, as for a fork or for the CPU time of the server, and what is here still reads its files.
 *
 * <p>Threading: stateless. Failure: {@link UncheckedIOException} naming the file.
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
            new CsvField<>("steal", SliceResult::stealFraction),
            new CsvField<>("p50_us", slice -> slice.latency().p50Micros()),
            new CsvField<>("p99_us", slice -> slice.latency().p99Micros()),
            new CsvField<>("p999_us", slice -> slice.latency().p999Micros()),
            new CsvField<>("max_us", slice -> slice.latency().maxMicros()));

    private static final List<CsvField<ComparisonResult.Plan>> PLAN = List.of(
            new CsvField<>("profile", ComparisonResult.Plan::profile),
            new CsvField<>("pool_size", ComparisonResult.Plan::poolSize),
            new CsvField<>("rounds", ComparisonResult.Plan::rounds),
            new CsvField<>("slice_ms", ComparisonResult.Plan::sliceMillis),
            new CsvField<>("keys", ComparisonResult.Plan::keys),
            new CsvField<>("seed", ComparisonResult.Plan::seed),
            new CsvField<>("contenders", plan -> String.join(" ", plan.contenders())));

    private ComparisonFiles() {}

    /** Whether {@code folder} holds a comparison. */
    public static boolean isIn(Path folder) {
        return Files.exists(folder.resolve(SLICES));
    }

    /** Writes both files into {@code folder}, which is created if it is not there. */
    public static void write(Path folder, ComparisonResult result) {
        Csv.write(
                folder.resolve(SLICES),
                COLUMNS.stream().map(CsvField::name).toList(),
                result.slices().stream()
                        .map(slice ->
                                COLUMNS.stream().map(column -> column.of(slice)).toList())
                        .toList());
        EnvironmentFile.write(folder.resolve(ENVIRONMENT), result.environment(), PLAN, result.plan());
    }

    /** Reads what {@link #write} wrote. */
    public static ComparisonResult read(Path folder) {
        CsvRow facts = EnvironmentFile.read(folder.resolve(ENVIRONMENT));
        Path slices = folder.resolve(SLICES);
        return new ComparisonResult(
                EnvironmentFile.environment(facts),
                plan(facts),
                Csv.read(slices).stream()
                        .map(row -> slice(new CsvRow(slices, row)))
                        .toList());
    }

    private static ComparisonResult.Plan plan(CsvRow facts) {
        return new ComparisonResult.Plan(
                facts.text("profile"),
                facts.integer("pool_size"),
                facts.integer("rounds"),
                facts.number("slice_ms"),
                facts.integer("keys"),
                facts.number("seed"),
                facts.words("contenders"));
    }

    private static SliceResult slice(CsvRow row) {
        return new SliceResult(
                new Condition(
                        row.integer("threads"),
                        row.integer("value_bytes"),
                        row.constant("load", Condition.Load.class),
                        row.constant("callers", Condition.Callers.class),
                        row.integer("in_flight")),
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
                row.decimal("steal"),
                new Latency(
                        row.decimal("p50_us"), row.decimal("p99_us"), row.decimal("p999_us"), row.decimal("max_us")));
    }
}
