// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.bench.result.Csv.CsvField;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvTest {

    private static final Path RESULTS = Path.of("..", "docs", "results");

    @TempDir
    private Path folder;

    @Test
    void valuesThatNeedQuotesAndOnlyThoseHaveThem() throws IOException {
        Path file = folder.resolve("new/some.csv");

        Csv.write(file, List.of("a", "b"), List.of(List.of("x, y", "say \"z\""), List.of("two\nlines", " # a b")));
        Csv.append(
                file,
                List.of(new CsvField<List<String>>("a", row -> row.get(0)), new CsvField<>("b", row -> row.get(1))),
                List.of("", "a value that is long and has nothing of them"));

        assertThat(file)
                .content()
                .isEqualTo("a,b\n\"x, y\",\"say \"\"z\"\"\"\n\"two\nlines\", # a b\n"
                        + ",a value that is long and has nothing of them\n");
        assertThat(Csv.read(file))
                .extracting(CsvRow::values)
                .containsExactly(
                        Map.of("a", "x, y", "b", "say \"z\""),
                        Map.of("a", "two\nlines", "b", " # a b"),
                        Map.of("a", "", "b", "a value that is long and has nothing of them"));
    }

    @Test
    void aFileMayBePacked() throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("some.csv.gz")))) {
            out.write("a\n1\n".getBytes(UTF_8));
        }

        assertThat(Csv.isThere(folder.resolve("some.csv"))).isTrue();
        assertThat(Csv.read(folder.resolve("some.csv")))
                .extracting(CsvRow::values)
                .containsExactly(Map.of("a", "1"));
        assertThat(Csv.isThere(folder.resolve("other.csv"))).isFalse();
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> Csv.read(folder.resolve("other.csv")))
                .withMessageContaining("cannot read " + folder.resolve("other.csv"));
    }

    /** All but those that JMH wrote, which puts quotes around every word. */
    @Test
    void everyPublishedFileIsWrittenAsItWasRead() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(RESULTS)) {
            files = all.filter(file -> file.toString().matches(".*\\.csv(\\.gz)?"))
                    .map(file ->
                            file.resolveSibling(file.getFileName().toString().replace(".gz", "")))
                    .filter(file -> Csv.bytes(file)[0] != '"')
                    .toList();
        }
        assertThat(files).hasSizeGreaterThan(40).allSatisfy(file -> {
            List<Map<String, String>> rows =
                    Csv.read(file).stream().map(CsvRow::values).toList();
            List<List<String>> values = new ArrayList<>();
            rows.forEach(row -> values.add(List.copyOf(row.values())));
            Path copy = folder.resolve("copy.csv");
            Csv.write(copy, List.copyOf(rows.get(0).keySet()), values);
            assertThat(Files.readString(copy)).isEqualTo(new String(Csv.bytes(file), UTF_8));
        });
    }
}
