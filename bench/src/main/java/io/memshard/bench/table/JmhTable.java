// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.table;

import java.util.List;
import java.util.Locale;
import java.util.Map;
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
     * @param rows of the file, each with its values by the names of their columns
     * @param metric end of the names of the benchmarks that are shown, as {@code gc.alloc.rate.norm}
     * @throws IllegalArgumentException if no row is of {@code metric}, or one is not of JMH
     */
    public static String of(List<Map<String, String>> rows, String metric) {
        List<Map<String, String>> shown = rows.stream()
                .filter(row -> value(row, "Benchmark").endsWith(metric))
                .toList();
        if (shown.isEmpty()) {
            throw new IllegalArgumentException("no benchmark of the file ends with \"" + metric + "\"");
        }
        List<String> parameters = shown.get(0).keySet().stream()
                .filter(name -> name.startsWith(PARAMETER))
                .toList();
        StringBuilder text = new StringBuilder("| threads | ");
        parameters.forEach(
                name -> text.append(name.substring(PARAMETER.length())).append(" | "));
        text.append("score | error (99.9 %) | unit |\n|--:|");
        text.append("---|".repeat(parameters.size())).append("--:|--:|---|\n");
        for (Map<String, String> row : shown) {
            text.append(parameters.stream()
                    .map(name -> value(row, name))
                    .collect(Collectors.joining(" | ", "| " + value(row, "Threads") + " | ", "")));
            text.append(parameters.isEmpty() ? "" : " | ")
                    .append(decimal(row, "Score"))
                    .append(" | ")
                    .append(decimal(row, "Score Error (99.9%)"))
                    .append(" | ")
                    .append(value(row, "Unit"))
                    .append(" |\n");
        }
        return text.toString();
    }

    private static String decimal(Map<String, String> row, String column) {
        double number;
        try {
            number = Double.parseDouble(value(row, column));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("\"" + value(row, column) + "\" is no " + column, e);
        }
        return Double.isNaN(number) ? "-" : String.format(Locale.ROOT, "%,.1f", number);
    }

    private static String value(Map<String, String> row, String column) {
        String value = row.get(column);
        if (value == null) {
            throw new IllegalArgumentException("there is no column \"" + column + "\" as JMH writes it");
        }
        return value;
    }
}
