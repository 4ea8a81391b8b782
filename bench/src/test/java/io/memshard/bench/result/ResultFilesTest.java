package io.memshard.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFilesTest {

    private static final Condition CONDITION =
            new Condition(8, 100, Condition.Load.MIXED, Condition.Callers.BLOCKING, 1);

    private static final ComparisonResult RESULT = new ComparisonResult(
            new Environment(
                    Instant.parse("2026-11-21T00:00:00Z"),
                    2,
                    "any",
                    "Linux",
                    "17",
                    List.of("-Xmx1g"),
                    "127.0.0.1:1",
                    "found",
                    "1.6.18",
                    null,
                    0.5,
                    0.01,
                    null,
                    "bench/run"),
            new ComparisonResult.Plan("cloud", 20, 9, 1000, 1000, 42, "connection"),
            List.of(new SliceResult(
                    CONDITION,
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
                    0.25,
                    new Latency(1.5, 2, 3, 4))),
            List.of(new ContenderSummary(
                    CONDITION, "connection", 1, 9, new Quartiles(1, 1, 1), 500, 10, new Latency(1, 2, 3, 4), 1, 2, 3)));

    @TempDir
    private Path folder;

    @Test
    void whatWasWrittenIsReadBack() {
        Path file = folder.resolve("new/compare.json");
        ResultFiles.write(file, RESULT);

        assertThat(ResultFiles.read(file, ComparisonResult.class)).isEqualTo(RESULT);
    }

    @Test
    void aMissingFileIsNamed() {
        Path file = folder.resolve("none.json");

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> ResultFiles.read(file, ComparisonResult.class))
                .withMessageStartingWith("cannot read " + file);
    }

    @Test
    void aDamagedFileIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("half.json"), "{\"environment\": {");

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> ResultFiles.read(file, ComparisonResult.class))
                .withMessageStartingWith("cannot read " + file);
    }

    @Test
    void figuresFollowFromASlice() {
        SliceResult slice = RESULT.slices().get(0);

        assertThat(slice.operationsPerSecond()).isEqualTo(500);
        assertThat(slice.cpuMicrosPerOperation()).isEqualTo(10);
    }
}
