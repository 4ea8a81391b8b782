// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.table;

import io.memshard.bench.result.CsvRow;
import java.util.List;
import java.util.Locale;

/** Markdown table of a file that JMH writes with {@code -rf csv}: one line for each row. Threading: stateless. */
public final class JmhTable {

    private static final String PARAMETER = "Param: ";

    private JmhTable() {}

    /**
     * Returns the table of the rows whose benchmark ends with {@code metric}, such as {@code gc.alloc.rate.norm}. Fails
     * if there is no such row.
     */
    public static String of(List<CsvRow> rows, String metric) {
        List<CsvRow> shown = rows.stream()
                .filter(row -> row.text("Benchmark").endsWith(metric))
                .toList();
        if (shown.isEmpty()) {
            throw new IllegalArgumentException("no benchmark of the file ends with \"" + metric + "\"");
        }
        MarkdownTable<CsvRow> table = new MarkdownTable<CsvRow>().number("threads", row -> row.text("Threads"));
        shown.get(0).values().keySet().stream()
                .filter(name -> name.startsWith(PARAMETER))
                .forEach(name -> table.text(name.substring(PARAMETER.length()), row -> row.text(name)));
        return table.number("score", row -> decimal(row, "Score"))
                .number("error (99.9 %)", row -> decimal(row, "Score Error (99.9%)"))
                .text("unit", row -> row.text("Unit"))
                .of(shown);
    }

    private static String decimal(CsvRow row, String column) {
        double number = row.decimal(column);
        return Double.isNaN(number) ? "-" : String.format(Locale.ROOT, "%,.1f", number);
    }
}
