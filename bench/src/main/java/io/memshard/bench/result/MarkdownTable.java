// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Markdown table, with a column for each function. */
public final class MarkdownTable<R> {

    private record Column<R>(String head, String rule, Function<? super R, ?> cell) {}

    private final List<Column<R>> columns = new ArrayList<>();

    public MarkdownTable<R> text(String head, Function<? super R, ?> cell) {
        columns.add(new Column<>(head, "---", cell));
        return this;
    }

    public MarkdownTable<R> number(String head, Function<? super R, ?> cell) {
        columns.add(new Column<>(head, "--:", cell));
        return this;
    }

    public MarkdownTable<R> number(String head, String format, Function<? super R, ?> cell) {
        return number(head, row -> String.format(Locale.ROOT, format, cell.apply(row)));
    }

    public String of(Iterable<? extends R> rows) {
        StringBuilder text =
                new StringBuilder(line(columns.stream().map(Column::head).toList()));
        text.append(columns.stream().map(Column::rule).collect(Collectors.joining("|", "|", "|\n")));
        for (R row : rows) {
            text.append(line(columns.stream()
                    .map(column -> String.valueOf(column.cell().apply(row)))
                    .toList()));
        }
        return text.toString();
    }

    private static String line(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
