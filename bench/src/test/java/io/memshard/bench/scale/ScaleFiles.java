// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.scale;

import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.Csv;
import io.memshard.bench.result.Csv.CsvField;
import io.memshard.bench.result.CsvRow;
import io.memshard.bench.result.EnvironmentFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A {@link ScaleResult} as two files of a folder: {@value #SCALE}, a row for each figure, and
 * {@value ComparisonFiles#ENVIRONMENT}, a row for each fact about the machine and the plan.
 * Threading: stateless. Failure: {@link UncheckedIOException} naming the file.
 */
public final class ScaleFiles {

    /** The file with one row for each figure. */
    public static final String SCALE = "scale.csv";

    private static final List<CsvField<ScaleFigure>> COLUMNS = List.of(
            new CsvField<>("servers", ScaleFigure::servers),
            new CsvField<>("measure", ScaleFigure::measure),
            new CsvField<>("sample", ScaleFigure::sample),
            new CsvField<>("value", ScaleFigure::value));

    private static final List<CsvField<ScaleResult.Plan>> PLAN = List.of(
            new CsvField<>("connections", ScaleResult.Plan::connections),
            new CsvField<>("value_size", ScaleResult.Plan::valueSize),
            new CsvField<>("rounds", ScaleResult.Plan::rounds),
            new CsvField<>("slice_ms", ScaleResult.Plan::sliceMillis),
            new CsvField<>("seed", ScaleResult.Plan::seed));

    private ScaleFiles() {}

    /** Returns whether {@code folder} holds figures of many servers. */
    public static boolean isIn(Path folder) {
        return Csv.isThere(folder.resolve(SCALE));
    }

    /** Writes both files into {@code folder}, which is created if it does not exist. */
    public static void write(Path folder, ScaleResult result) {
        Csv.writeEach(folder.resolve(SCALE), COLUMNS, result.figures());
        EnvironmentFile.write(folder.resolve(ComparisonFiles.ENVIRONMENT), result.environment(), PLAN, result.plan());
    }

    /** Reads what {@link #write} wrote. */
    public static ScaleResult read(Path folder) {
        CsvRow facts = EnvironmentFile.read(folder.resolve(ComparisonFiles.ENVIRONMENT));
        return new ScaleResult(
                EnvironmentFile.environment(facts),
                new ScaleResult.Plan(
                        facts.integer("connections"),
                        facts.integer("value_size"),
                        facts.integer("rounds"),
                        facts.integer("slice_ms"),
                        facts.number("seed")),
                Csv.read(folder.resolve(SCALE)).stream().map(ScaleFiles::figure).toList());
    }

    private static ScaleFigure figure(CsvRow row) {
        return new ScaleFigure(
                row.integer("servers"),
                row.constant("measure", ScaleMeasure.class),
                row.integer("sample"),
                row.decimal("value"));
    }
}
