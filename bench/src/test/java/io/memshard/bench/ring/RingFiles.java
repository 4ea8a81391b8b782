// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.Csv;
import io.memshard.bench.result.Csv.CsvField;
import io.memshard.bench.result.CsvRow;
import io.memshard.bench.result.EnvironmentFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A {@link RingResult} as two files of a folder: {@value #RINGS}, a row for each figure, and
 * {@value ComparisonFiles#ENVIRONMENT}, a row for each fact about the machine and the plan.
 * Threading: stateless. Failure: {@link UncheckedIOException} naming the file.
 */
public final class RingFiles {

    /** The file with one row for each figure. */
    public static final String RINGS = "rings.csv";

    private static final List<CsvField<RingFigure>> COLUMNS = List.of(
            new CsvField<>("ring", RingFigure::ring),
            new CsvField<>("servers", RingFigure::servers),
            new CsvField<>("measure", RingFigure::measure),
            new CsvField<>("sample", RingFigure::sample),
            new CsvField<>("value", RingFigure::value));

    private static final List<CsvField<RingResult.Plan>> PLAN = List.of(
            new CsvField<>("keys_per_server", RingResult.Plan::keysPerServer),
            new CsvField<>("least_keys", RingResult.Plan::leastKeys),
            new CsvField<>("fleets", RingResult.Plan::fleets),
            new CsvField<>("rounds", RingResult.Plan::rounds),
            new CsvField<>("slice_ms", RingResult.Plan::sliceMillis),
            new CsvField<>("seed", RingResult.Plan::seed));

    private RingFiles() {}

    /** Returns whether {@code folder} holds figures of rings. */
    public static boolean isIn(Path folder) {
        return Csv.isThere(folder.resolve(RINGS));
    }

    /** Writes both files into {@code folder}, which is created if it does not exist. */
    public static void write(Path folder, RingResult result) {
        Csv.writeEach(folder.resolve(RINGS), COLUMNS, result.figures());
        EnvironmentFile.write(folder.resolve(ComparisonFiles.ENVIRONMENT), result.environment(), PLAN, result.plan());
    }

    /** Reads what {@link #write} wrote. */
    public static RingResult read(Path folder) {
        CsvRow facts = EnvironmentFile.read(folder.resolve(ComparisonFiles.ENVIRONMENT));
        return new RingResult(
                EnvironmentFile.environment(facts),
                new RingResult.Plan(
                        facts.integer("keys_per_server"),
                        facts.integer("least_keys"),
                        facts.integer("fleets"),
                        facts.integer("rounds"),
                        facts.integer("slice_ms"),
                        facts.number("seed")),
                Csv.read(folder.resolve(RINGS)).stream().map(RingFiles::figure).toList());
    }

    private static RingFigure figure(CsvRow row) {
        return new RingFigure(
                row.text("ring"),
                row.integer("servers"),
                row.constant("measure", RingMeasure.class),
                row.integer("sample"),
                row.decimal("value"));
    }
}
