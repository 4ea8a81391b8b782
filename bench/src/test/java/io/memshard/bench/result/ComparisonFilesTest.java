// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.bench.result.SliceResult.Fairness;
import io.memshard.bench.result.SliceResult.Latency;
import io.memshard.bench.result.SliceResult.Readings;
import io.memshard.bench.result.SliceResult.Scheduling;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonFilesTest {

    private static final Condition CONDITION =
            new Condition(8, 100, Condition.Load.MIXED, Condition.Callers.BLOCKING, 1);

    private static final ComparisonResult RESULT = new ComparisonResult(
            new Environment(
                    Instant.parse("2026-11-21T00:00:00Z"),
                    2,
                    "a \"fast\" one,\nor two",
                    "Linux",
                    "17",
                    List.of("-Xmx1g", "-Xms1g"),
                    "127.0.0.1:1",
                    "found",
                    "1.6.18",
                    null,
                    0.5,
                    0.01,
                    "0123456789ab",
                    true,
                    "bench/run compare --threads 1,2"),
            new ComparisonResult.Plan(
                    "cloud", 20, 5, 9, 1000, 1000, 42, List.of("connection", "connection-again"), "load average 3"),
            List.of(new SliceResult(
                    CONDITION,
                    3,
                    1,
                    2,
                    "connection",
                    1,
                    1_000_000_000,
                    500,
                    1,
                    2,
                    3,
                    5_000_000,
                    new Latency(1.5, 2, 3, 40_000_000),
                    new Fairness(0.75, 10, 90),
                    new Readings(3_000_000, 700, 120.5, 900, 0.0002, new Scheduling(1200, 3, 0.25, 2_000_000)))));

    @TempDir
    private Path folder;

    @Test
    void whatWasWrittenIsReadBack() {
        ComparisonFiles.write(folder.resolve("new"), RESULT);

        assertThat(ComparisonFiles.isIn(folder)).isFalse();
        assertThat(ComparisonFiles.isIn(folder.resolve("new"))).isTrue();
        assertThat(ComparisonFiles.read(folder.resolve("new"))).isEqualTo(RESULT);
    }

    @Test
    void aSliceIsOneRowOfPlainNumbers() throws IOException {
        ComparisonFiles.write(folder, RESULT);

        assertThat(Files.readAllLines(folder.resolve(ComparisonFiles.SLICES)))
                .containsExactly(
                        "callers,threads,in_flight,load,value_bytes,fork,round,position,contender,connections,elapsed_ns,"
                                + "operations,errors,timeouts,wrong_values,client_cpu_ns,server_cpu_ns,steal,switches,"
                                + "hiccup_p99_us,hiccup_max_us,interrupts,migrations,idle,busiest_worker_cpu_ns,jain,"
                                + "least_operations,most_operations,p50_us,p99_us,p999_us,max_us",
                        "blocking,8,1,mixed,100,3,1,2,connection,1,1000000000,500,1,2,3,5000000,3000000,0.0002,700,"
                                + "120.5,900,1200,3,0.25,2000000,0.75,10,90,1.5,2,3,40000000");
    }

    @Test
    void theTreeIsCleanDirtyOrUnknown() throws IOException {
        ComparisonFiles.write(folder, RESULT);

        assertThat(folder.resolve(ComparisonFiles.ENVIRONMENT))
                .content()
                .contains("\ncommit,0123456789ab\ntree,dirty\n")
                .contains("cpu_model,\"a \"\"fast\"\" one,\nor two\"\n");
    }

    @Test
    void columnsAndFactsThatAreNotKnownAreIgnored() throws IOException {
        ComparisonFiles.write(folder, RESULT);
        Path slices = folder.resolve(ComparisonFiles.SLICES);
        List<String> lines = Files.readAllLines(slices);
        Files.writeString(slices, "place," + lines.get(0) + ",weather\r\n3," + lines.get(1) + ",77\r\n");
        Path environment = folder.resolve(ComparisonFiles.ENVIRONMENT);
        Files.writeString(environment, Files.readString(environment) + "weather,fine\n");

        assertThat(ComparisonFiles.read(folder)).isEqualTo(RESULT);
    }

    /** Writes files as they were published before comparisons had forks. */
    @Test
    void aFileOfASingleJvmIsOneForkInWhichLessWasMeasured() throws IOException {
        ComparisonFiles.write(folder, RESULT);
        Files.writeString(
                folder.resolve(ComparisonFiles.SLICES),
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
            assertThat(slice.serverCpuMicrosPerOperation()).isNaN();
            assertThat(slice.operationsPerCoreSecond()).isNaN();
            assertThat(slice.fairness()).isEqualTo(Fairness.UNKNOWN);
            assertThat(slice.readings().stealFraction()).isEqualTo(0.0002);
        });
        ComparisonFiles.write(folder.resolve("again"), read);
        assertThat(ComparisonFiles.read(folder.resolve("again"))).isEqualTo(read);
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> ComparisonFiles.read(folder))
                .withMessageStartingWith("cannot read " + folder.resolve(ComparisonFiles.ENVIRONMENT));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "operations  | counts     | there is no \"operations\"",
                "500         | many       | \"many\" is no value of \"operations\"",
                "mixed       | all        | \"all\" is no value of \"load\"",
                "500,1,2     | 500        | Not enough column values: expected 32, found 30",
                "500         | \"500      | Missing closing quote for value"
            })
    void aDamagedFileIsNamedWithItsFault(String text, String damaged, String fault) throws IOException {
        ComparisonFiles.write(folder, RESULT);
        Path slices = folder.resolve(ComparisonFiles.SLICES);
        Files.writeString(slices, Files.readString(slices).replaceFirst(text, damaged));

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> ComparisonFiles.read(folder))
                .withMessage("cannot read " + slices + ": " + fault);
    }

    @Test
    void figuresFollowFromASlice() {
        SliceResult slice = RESULT.slices().get(0);

        assertThat(slice.operationsPerSecond()).isEqualTo(500);
        assertThat(slice.cpuMicrosPerOperation()).isEqualTo(10);
        assertThat(slice.serverCpuMicrosPerOperation()).isEqualTo(6);
        assertThat(slice.operationsPerCoreSecond()).isEqualTo(62_500);
    }
}
