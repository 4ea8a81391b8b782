// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.table;

import io.memshard.bench.result.CsvRow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Tables of the outcomes that {@code ServersIT} writes to a file, with a row for each operation on each server.
 * Threading: stateless.
 */
public final class ServersTable {

    private static final List<String> OUTCOMES = List.of("ok", "unsupported", "refused", "closed", "wrong");

    /** Start of the message for an operation that the classic text protocol lacks. */
    private static final String CLASSIC = "not in the classic text protocol";

    private ServersTable() {}

    /** Returns the number of operations of each outcome, with a line for each server. */
    public static String counts(List<CsvRow> rows) {
        Map<String, List<CsvRow>> servers = rows.stream()
                .collect(Collectors.groupingBy(row -> row.text("server"), LinkedHashMap::new, Collectors.toList()));
        MarkdownTable<Map.Entry<String, List<CsvRow>>> table =
                new MarkdownTable<Map.Entry<String, List<CsvRow>>>().text("server", Map.Entry::getKey);
        for (String outcome : OUTCOMES) {
            table.number(
                    outcome,
                    server -> server.getValue().stream().filter(has(outcome)).count());
        }
        return table.of(servers.entrySet());
    }

    /**
     * Returns the operations that are not ok, with a line for each server and outcome. Operations that the classic text
     * protocol lacks are left out.
     */
    public static String without(List<CsvRow> rows) {
        Map<List<String>, List<String>> lacks = rows.stream()
                .filter(has("ok").negate())
                .filter(row -> !row.text("message").startsWith(CLASSIC))
                .collect(Collectors.groupingBy(
                        row -> List.of(row.text("server"), row.text("outcome")),
                        LinkedHashMap::new,
                        Collectors.mapping(row -> row.text("operation"), Collectors.toList())));
        return new MarkdownTable<Map.Entry<List<String>, List<String>>>()
                .text("server", lack -> lack.getKey().get(0))
                .text("outcome", lack -> lack.getKey().get(1))
                .text("operations", lack -> String.join("; ", lack.getValue()))
                .of(lacks.entrySet());
    }

    private static Predicate<CsvRow> has(String outcome) {
        return row -> row.text("outcome").equals(outcome);
    }
}
