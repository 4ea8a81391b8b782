// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A file of comma-separated values with the names of its columns in the first row, as RFC 4180 describes it. A value
 * with a comma, a quote or a line break stands in quotes, and a quote in it is doubled.
 *
 * <p>Threading: stateless. Failure: {@link UncheckedIOException} naming the file.
 */
public final class Csv {

    private Csv() {}

    /**
     * Writes {@code rows}, creating the folder of {@code file}, replacing a file that is there.
     *
     * @param columns names for the first row
     * @param rows as many values in each as there are columns
     */
    public static void write(Path file, List<String> columns, List<List<String>> rows) {
        StringBuilder text = new StringBuilder();
        appendRow(text, columns);
        rows.forEach(row -> appendRow(text, row));
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** Writes a row for each of {@code things}, as the other. */
    public static <T> void writeEach(Path file, List<CsvField<T>> columns, List<T> things) {
        write(
                file,
                columns.stream().map(CsvField::name).toList(),
                things.stream()
                        .map(thing ->
                                columns.stream().map(column -> column.of(thing)).toList())
                        .toList());
    }

    /** Adds one row to {@code file}, which gets the names of the columns first if it is not there. */
    public static void append(Path file, List<String> columns, List<String> row) {
        if (!Files.exists(file)) {
            write(file, columns, List.of(row));
            return;
        }
        StringBuilder text = new StringBuilder();
        appendRow(text, row);
        try {
            Files.writeString(file, text, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot add to " + file + ": " + e.getMessage(), e);
        }
    }

    private static void appendRow(StringBuilder text, List<String> values) {
        for (int i = 0; i < values.size(); i++) {
            String value = values.get(i);
            boolean quoted = value.matches("(?s).*[\",\r\n].*");
            text.append(i == 0 ? "" : ",").append(quoted ? '"' + value.replace("\"", "\"\"") + '"' : value);
        }
        text.append('\n');
    }

    /** Reads a file: each row after the first as its values by the names of their columns, in their order. */
    public static List<Map<String, String>> read(Path file) {
        try {
            return readText(Files.readString(file));
        } catch (IOException e) {
            throw unreadable(file, String.valueOf(e.getMessage()));
        }
    }

    /** As {@link #read} for the content of a file. */
    public static List<Map<String, String>> readText(String text) throws IOException {
        List<List<String>> rows = parse(text);
        if (rows.isEmpty()) {
            throw new IOException("it is empty");
        }
        List<String> columns = rows.get(0);
        List<Map<String, String>> records = new ArrayList<>();
        for (int i = 1; i < rows.size(); i++) {
            List<String> row = rows.get(i);
            if (row.size() != columns.size()) {
                throw new IOException(
                        "row " + (i + 1) + " has " + row.size() + " values for " + columns.size() + " columns");
            }
            Map<String, String> record = new LinkedHashMap<>();
            for (int column = 0; column < row.size(); column++) {
                record.put(columns.get(column), row.get(column));
            }
            records.add(record);
        }
        return records;
    }

    /** The failure to read {@code file}, with its reason. */
    static UncheckedIOException unreadable(Path file, String reason) {
        String message = "cannot read " + file + ": " + reason;
        return new UncheckedIOException(message, new IOException(message));
    }

    private static List<List<String>> parse(String text) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder value = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            if (quoted) {
                if (next != '"') {
                    value.append(next);
                } else if (i + 1 < text.length() && text.charAt(i + 1) == '"') {
                    value.append('"');
                    i++;
                } else {
                    quoted = false;
                }
            } else if (next == '"') {
                quoted = true;
            } else if (next == ',' || next == '\n') {
                row.add(value.toString());
                value.setLength(0);
                if (next == '\n') {
                    rows.add(row);
                    row = new ArrayList<>();
                }
            } else if (next != '\r') {
                value.append(next);
            }
        }
        if (quoted) {
            throw new IOException("a quote is not closed");
        }
        if (!value.isEmpty() || !row.isEmpty()) {
            row.add(value.toString());
            rows.add(row);
        }
        return rows;
    }
}
