// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.bench.result.SliceResult.Figure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonFilesTest {

    @TempDir
    private Path folder;

    private Path slices;

    @BeforeEach
    void write() {
        new Slices().slice(3, 1, "connection", 8, 500, 10).write(folder, 5, "load average 3", "connection");
        slices = folder.resolve(ComparisonFiles.SLICES);
    }

    @Test
    void aRowIsASliceAndOtherColumnsAreIgnored() {
        ComparisonResult read = ComparisonFiles.read(folder);

        assertThat(read.plan())
                .isEqualTo(new ComparisonResult.Plan(
                        "cloud", 20, 5, 1, 1000, 10, List.of("connection"), "load average 3"));
        assertThat(read.environment().commit()).isEqualTo("0123456789ab-dirty");
        assertThat(read.environment().get("cpu_model")).isEqualTo("a \"fast\" one,\nor <b>two</b>");
        SliceResult slice = read.slices().get(0);
        assertThat(slice.condition())
                .isEqualTo(new Condition(8, 100, Condition.Load.GET, Condition.Callers.BLOCKING, 1));
        assertThat(slice.fork()).isEqualTo(3);
        assertThat(slice.contender()).isEqualTo("connection");
        assertThat(slice.throughput()).isEqualTo(500);
        assertThat(slice.milliPerOperation(Figure.CLIENT_CPU_NS)).isEqualTo(10);
        assertThat(slice.milliPerOperation(Figure.SERVER_CPU_NS)).isEqualTo(3);
        assertThat(slice.get(Figure.HICCUP_P99_US)).isNaN();
        assertThat(slice.get(Figure.P999_US)).isEqualTo(900_000);
    }

    /** Files as they were published before comparisons had forks. */
    @Test
    void aFileOfASingleJvmIsOneForkInWhichLessWasMeasured() throws IOException {
        Files.writeString(
                slices,
                "callers,threads,in_flight,load,value_bytes,round,position,contender,connections,elapsed_ns,operations,"
                        + "errors,timeouts,wrong_values,client_cpu_ns,steal,p50_us,p99_us,p999_us,max_us\n"
                        + "blocking,8,1,mixed,100,1,2,connection,1,1000000000,500,1,2,3,5000000,0.0002,1.5,2,3,9\n");
        Path environment = folder.resolve(ComparisonFiles.ENVIRONMENT);
        Files.writeString(environment, Files.readString(environment).replaceAll("(?m)^(forks|busy),.*\n", ""));

        ComparisonResult read = ComparisonFiles.read(folder);

        assertThat(read.plan().forks()).isEqualTo(1);
        assertThat(read.hasIntervals()).isFalse();
        assertThat(read.slices()).singleElement().satisfies(slice -> {
            assertThat(slice.fork()).isEqualTo(1);
            assertThat(slice.milliPerOperation(Figure.SERVER_CPU_NS)).isNaN();
            assertThat(slice.operationsPerCoreSecond()).isNaN();
        });
    }

    @Test
    void aMissingFileIsNamed() {
        Path missing = folder.resolve("missing");
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> ComparisonFiles.read(missing))
                .withMessageStartingWith("cannot read " + missing.resolve(ComparisonFiles.ENVIRONMENT));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "operations  | counts     | there is no \"operations\"",
                ",500,       | ,many,     | \"many\" is not a value of \"operations\"",
                ",get,       | ,all,      | \"all\" is not a value of \"load\"",
                ",500,0,0    | ,500       | Not enough column values: expected 23, found 21",
                ",500        | ,\"500     | Missing closing quote for value"
            })
    void aDamagedFileIsNamedWithItsFault(String text, String damaged, String fault) throws IOException {
        Files.writeString(slices, Files.readString(slices).replaceFirst(text, damaged));

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> ComparisonFiles.read(folder))
                .withMessage("cannot read " + slices + ": " + fault);
    }
}
