// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import io.memshard.bench.result.SliceResult.Figure;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/**
 * Reader of a comparison as it was published before each fork had one contender. {@value #SLICES} has a row for each
 * slice, and {@value #ENVIRONMENT} a row for each fact about the machine and the plan. Columns and facts are found by
 * their names. The oldest files lack some: those runs had a single JVM and fewer measurements. Threading: stateless.
 * Failure: {@link UncheckedIOException} naming the file.
 */
public final class ComparisonFiles {

    /** The file with one row for each slice. */
    public static final String SLICES = "slices.csv";

    /** The file with one row for each fact. */
    public static final String ENVIRONMENT = "environment.csv";

    private ComparisonFiles() {}

    /** Reads the comparison in {@code folder}. */
    public static ComparisonResult read(Path folder) {
        CsvRow facts = Csv.facts(folder.resolve(ENVIRONMENT));
        ComparisonResult.Plan plan = new ComparisonResult.Plan(
                facts.text("profile"),
                facts.integer("pool_size"),
                facts.integerOr(1, "forks"),
                facts.integer("rounds"),
                facts.number("slice_ms"),
                facts.integer("keys"),
                facts.words("contenders"),
                facts.values().getOrDefault("busy", ""));
        return new ComparisonResult(
                new Environment(facts.values()),
                plan,
                Csv.read(folder.resolve(SLICES)).stream()
                        .map(ComparisonFiles::slice)
                        .toList());
    }

    private static SliceResult slice(CsvRow row) {
        Condition condition = new Condition(
                row.integer("threads"),
                row.integer("value_bytes"),
                row.constant("load", Condition.Load.class),
                row.constant("callers", Condition.Callers.class),
                row.integer("in_flight"));
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            figures.put(figure, figure.isOptional() ? row.decimalOrNaN(figure.column()) : row.decimal(figure.column()));
        }
        return new SliceResult(
                condition,
                row.integerOr(1, "fork"),
                row.integer("round"),
                row.text("contender"),
                row.integer("connections"),
                figures);
    }
}
