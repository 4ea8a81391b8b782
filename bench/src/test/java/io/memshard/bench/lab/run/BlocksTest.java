// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.experiment.Variants;
import io.memshard.bench.result.BenchException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class BlocksTest {

    private static final LabPlan QUICK = plan(Size.QUICK);

    @TempDir
    private Path folder;

    @Test
    @Tag("deep")
    void aRunHasARowForEachForkAndCanResume() throws Exception {
        assertThat(run(QUICK, CountingBenchmark.class, "claims"))
                .contains("counting, profile cloud: 1 blocks, 5 forks");

        List<ForkResult> forks = ForkFile.read(folder.resolve(ForkFile.NAME));
        assertThat(forks).extracting(fork -> fork.key().arm()).contains("plain", "plain-again", "failing", "closed");
        assertThat(fork(forks, "closed").failure()).isEqualTo("java.lang.IllegalStateException: closed for today");
        assertCycles(fork(forks, "plain"));
        assertFailuresAreCounted(fork(forks, "failing"));
        ForkResult profiled =
                forks.stream().filter(fork -> fork.key().profiled()).findFirst().orElseThrow();
        WaitRow.write(folder);
        List<WaitRow> recorded = WaitRow.read(folder.resolve(WaitRow.FILE));
        assertThat(recorded).isNotEmpty().allMatch(row -> row.cycles() == (long) profiled.get(Measure.CYCLES));
        Files.delete(WaitRow.recording(folder, profiled.key()));
        WaitRow.write(folder);
        assertThat(WaitRow.read(folder.resolve(WaitRow.FILE)))
                .as("without a recording")
                .isEqualTo(recorded);
        assertResumes();
    }

    /** A run that was interrupted continues, unless something has changed. */
    private void assertResumes() throws Exception {
        Path file = folder.resolve(ForkFile.NAME);
        Set<ForkKey> keys = keys(file);
        List<String> rows = Files.readAllLines(file);
        Files.write(file, rows.subList(0, rows.size() - 1));

        assertThat(run(QUICK, CountingBenchmark.class, "claims"))
                .contains("4 of 5 forks have results already")
                .containsPattern("\\b[1-9] forks in");

        assertThat(keys(file)).isEqualTo(keys).hasSize(5);
        assertThatThrownBy(() -> run(QUICK, CountingBenchmark.class, "other claims"))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("claims was claims and is other claims");
    }

    private static void assertCycles(ForkResult fork) {
        double cycles = fork.get(Measure.CYCLES);
        assertThat(fork.failure()).isEmpty();
        assertThat(cycles).isPositive();
        assertThat(fork.cyclesByCaller()).hasSize(2);
        assertThat(fork.cyclesByCaller().stream().mapToLong(Long::longValue).sum())
                .isEqualTo((long) cycles);
        assertThat(fork.get(Measure.ERRORS)).isZero();
        assertThat(fork.get(Measure.ALL_ALLOCATED_BYTES)).isGreaterThanOrEqualTo(fork.get(Measure.ALLOCATED_BYTES));
        assertThat(fork.figures().get("begun")).as("with those of the warm-up").isGreaterThanOrEqualTo(cycles);
        assertThat(fork.figures().get(Metric.DRIFT)).isNotNegative();
        assertThat(fork.get(Measure.LONGEST_US)).isGreaterThanOrEqualTo(fork.get(Measure.P50_US));
    }

    private static void assertFailuresAreCounted(ForkResult fork) {
        assertThat(fork.get(Measure.ERRORS) / fork.get(Measure.CYCLES))
                .as("one failure to two cycles")
                .isBetween(0.4, 0.6);
        assertThat(fork.get(Measure.TIMEOUTS)).isZero();
    }

    /** Returns what was measured, once each: a fork is repeated if the host has taken CPU time from it. */
    private static Set<ForkKey> keys(Path file) {
        return ForkFile.read(file).stream().map(ForkResult::key).collect(Collectors.toSet());
    }

    @Test
    void aRunOfWhichNoForkRunsStops() {
        assertThatThrownBy(() -> run(plan(Size.FULL), Object.class, "claims"))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("all of its first 8 forks failed")
                .hasMessageContaining("No benchmarks to run");
        assertThat(ForkFile.read(folder.resolve(ForkFile.NAME))).hasSize(8).noneMatch(ForkResult::isThere);
    }

    private static ForkResult fork(List<ForkResult> forks, String arm) {
        return forks.stream()
                .filter(fork -> fork.key().arm().equals(arm) && !fork.key().profiled())
                .findFirst()
                .orElseThrow();
    }

    private static LabPlan plan(Size size) {
        return new LabPlan(List.of(new Counting()), size, List.of(Profile.CLOUD), "", 1, true, 0);
    }

    private String run(LabPlan plan, Class<?> benchmark, String claims) {
        StringWriter said = new StringWriter();
        Variants variants = new Variants(folder.resolve("variants"));
        new Blocks(plan, folder, variants, benchmark, new PrintWriter(said)).run("bench/run lab", claims);
        assertThat(RunFacts.read(folder.resolve(RunFacts.NAME)).get("plan")).isNotEmpty();
        return said.toString();
    }
}
