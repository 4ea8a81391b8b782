// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.table;

import io.memshard.bench.result.CsvRow;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What JMH writes with {@code -rf csv}, as a Markdown table: one line for each row.
 *
 * <p>Threading: stateless.
 */
public final class JmhTable {

    private static final String PARAMETER = "Param: ";

    private JmhTable() {}

    /**
     * The table.
     *
     * @param rows of the file
     * @param metric end of the names of the benchmarks that are shown, as {@code gc.alloc.rate.norm}
     * @throws IllegalArgumentException if no row is of {@code metric}
     * @throws UncheckedIOException if a row is not of JMH
     */
    public static String of(List<CsvRow> rows, String metric) {
        List<CsvRow> shown = rows.stream()
                .filter(row -> row.text("Benchmark").endsWith(metric))
                .toList();
        if (shown.isEmpty()) {
            throw new IllegalArgumentException("no benchmark of the file ends with \"" + metric + "\"");
        }
        List<String> parameters = shown.get(0).values().keySet().stream()
                .filter(name -> name.startsWith(PARAMETER))
                .toList();
        StringBuilder text = new StringBuilder("| threads | ");
        parameters.forEach(
                name -> text.append(name.substring(PARAMETER.length())).append(" | "));
        text.append("score | error (99.9 %) | unit |\n|--:|");
        text.append("---|".repeat(parameters.size())).append("--:|--:|---|\n");
        for (CsvRow row : shown) {
            text.append(parameters.stream()
                    .map(name -> row.text(name))
                    .collect(Collectors.joining(" | ", "| " + row.text("Threads") + " | ", "")));
            text.append(parameters.isEmpty() ? "" : " | ")
                    .append(decimal(row, "Score"))
                    .append(" | ")
                    .append(decimal(row, "Score Error (99.9%)"))
                    .append(" | ")
                    .append(row.text("Unit"))
                    .append(" |\n");
        }
        return text.toString();
    }

    private static String decimal(CsvRow row, String column) {
        double number = row.decimal(column);
        return Double.isNaN(number) ? "-" : String.format(Locale.ROOT, "%,.1f", number);
    }
}
