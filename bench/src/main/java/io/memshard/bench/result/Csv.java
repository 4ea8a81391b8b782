// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvReadFeature;
import tools.jackson.dataformat.csv.CsvSchema;
import tools.jackson.dataformat.csv.CsvWriteFeature;

/** File of comma-separated values (RFC 4180). If a file is missing, its compressed copy ({@code .gz}) is read. */
public final class Csv {

    private static final String PACKED = ".gz";

    private static final CsvMapper MAPPER = CsvMapper.builder()
            .enable(CsvReadFeature.FAIL_ON_MISSING_COLUMNS)
            .enable(CsvWriteFeature.STRICT_CHECK_FOR_QUOTING)
            .build();

    private Csv() {}

    public static boolean isThere(Path file) {
        return Files.exists(file) || Files.exists(packed(file));
    }

    public static byte[] bytes(Path file) {
        try (InputStream in = Files.exists(file) || !Files.exists(packed(file))
                ? Files.newInputStream(file)
                : new GZIPInputStream(Files.newInputStream(packed(file)))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw TextFile.failure("read", file, e);
        }
    }

    private static Path packed(Path file) {
        return file.resolveSibling(file.getFileName() + PACKED);
    }

    public static void write(Path file, List<String> columns, List<List<String>> rows) {
        List<List<String>> all = new ArrayList<>(List.of(columns));
        all.addAll(rows);
        TextFile.write(file, text(all));
    }

    public static <T> void writeEach(Path file, List<CsvField<T>> columns, List<T> things) {
        write(
                file,
                columns.stream().map(CsvField::name).toList(),
                things.stream().map(thing -> row(columns, thing)).toList());
    }

    public static <T> void append(Path file, List<CsvField<T>> columns, T thing) {
        if (!Files.exists(file)) {
            writeEach(file, columns, List.of(thing));
            return;
        }
        try {
            Files.writeString(file, text(List.of(row(columns, thing))), StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw TextFile.failure("add to", file, e);
        }
    }

    private static <T> List<String> row(List<CsvField<T>> columns, T thing) {
        return columns.stream().map(column -> column.of(thing)).toList();
    }

    private static String text(List<List<String>> rows) {
        return MAPPER.writer().writeValueAsString(rows);
    }

    public static List<CsvRow> read(Path file) {
        return read(file, bytes(file));
    }

    public static List<CsvRow> read(Path file, byte[] content) {
        try (var rows = MAPPER.readerForMapOf(String.class)
                .with(CsvSchema.emptySchema().withHeader())
                .<Map<String, String>>readValues(content)) {
            return rows.readAll().stream().map(row -> new CsvRow(file, row)).toList();
        } catch (JacksonException e) {
            throw TextFile.failure("read", file, new IOException(e.getOriginalMessage(), e));
        }
    }

    public record CsvField<T>(String name, Function<T, Object> value) {

        String of(T record) {
            Object content = value.apply(record);
            return content instanceof Enum<?> constant ? constant.name().toLowerCase(Locale.ROOT) : content.toString();
        }
    }
}
