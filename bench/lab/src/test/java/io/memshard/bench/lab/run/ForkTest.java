// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.variant.VariantFolder;
import io.memshard.bench.locks.ProfiledLoad;
import io.memshard.bench.machine.JavaCommand;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.result.TextFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ForkTest {

    private static final int FEWEST = 50;

    @TempDir
    private Path folder;

    @Test
    void cyclesAndFailuresAreCountedByCaller() throws Exception {
        ForkResult fork = run("failing", Condition.ofThreads(2), 0, false);

        assertThat(fork.failure()).isEmpty();
        double cycles = fork.get(Measure.CYCLES);
        assertThat(fork.cyclesByCaller()).hasSize(2);
        assertThat(fork.cyclesByCaller().stream().mapToLong(Long::longValue).sum())
                .isEqualTo((long) cycles);
        assertThat(fork.get(Measure.ERRORS) / cycles)
                .as("one failure to two cycles")
                .isBetween(0.4, 0.6);
        assertThat(fork.get(Measure.TIMEOUTS)).isZero();
        assertThat(fork.figures().get(Metric.DRIFT)).isNotNegative();
        assertThat(fork.figures().get("begun")).as("with those of the warm-up").isGreaterThanOrEqualTo(cycles);
        assertThat(fork.get(Measure.LONGEST_US)).isGreaterThanOrEqualTo(fork.get(Measure.P50_US));
        assertThat(fork.get(Measure.WAITED))
                .as("that callers pause in the end is no wait")
                .isZero();
    }

    @Test
    void fixedWorkIsTimedApart() throws Exception {
        ForkResult fork = run("plain", Condition.ofThreads(2), 100_000, false);

        assertThat(fork.get(Measure.FIXED_SECONDS)).isPositive();
        assertThat(fork.figures().get("begun")).isGreaterThanOrEqualTo(fork.get(Measure.CYCLES) + 100_000);
    }

    @Test
    void anOpenLoopGivesTheRateThatItIsAskedFor() throws Exception {
        Condition condition = Condition.ofThreads(2).with(Condition.RATE, 1000);
        long start = System.nanoTime();

        ForkResult fork = run("plain", condition, 0, false);

        double due = 1000 * (System.nanoTime() - start) / 1e9;
        // Requests arrive at random: twice as many as on average, and 100 more, do not in the life of a machine.
        assertThat(fork.get(Measure.CYCLES)).isBetween(1.0, 2 * due + 100);
    }

    @Test
    void anArmThatCannotBeOpenedIsAResultToo() throws Exception {
        assertThat(run("closed", Condition.ofThreads(1), 0, false).failure()).contains("closed for today");
    }

    @Test
    void aProfiledForkLeavesARecording() throws Exception {
        ForkResult fork = run("plain", Condition.ofThreads(2), 0, true);

        ProfiledLoad load = ProfiledLoad.read(folder.resolve(Fork.RECORDING));
        assertThat(load.profile().contender()).isEqualTo("plain");
        assertThat(load.profile().operations()).isEqualTo((long) fork.get(Measure.CYCLES));
    }

    @Test
    @Tag("deep")
    void aRunInForksCanBeInterruptedAndGoOn() throws Exception {
        LabPlan plan = new LabPlan(List.of(new Counting()), Size.QUICK, List.of(Profile.CLOUD), "", 1, true);

        String said = lab(plan, "claims");

        assertThat(said).contains("counting, profile cloud: 1 blocks, 3 forks");
        Path file = folder.resolve(ForkFile.NAME);
        assertThat(ForkFile.read(file)).allMatch(ForkResult::isThere);
        assertThat(keys(file)).hasSize(3);
        List<String> rows = Files.readAllLines(file);
        Files.write(file, rows.subList(0, rows.size() - 1));

        assertThat(lab(plan, "claims"))
                .contains("2 of 3 forks are there already")
                .containsPattern("\\b[1-9] forks in");
        assertThat(keys(file)).hasSize(3);
        WaitRow.write(folder);
        Path waits = folder.resolve(WaitRow.FILE);
        List<WaitRow> recorded = WaitRow.read(waits);
        ForkResult profiled = ForkFile.read(file).stream()
                .filter(fork -> fork.key().profiled())
                .findFirst()
                .orElseThrow();
        assertThat(recorded).allSatisfy(row -> assertThat(row.cycles()).isEqualTo((long) profiled.get(Measure.CYCLES)));
        Files.delete(WaitRow.recording(folder, profiled.key()));
        WaitRow.write(folder);
        assertThat(WaitRow.read(waits)).as("without a recording").isEqualTo(recorded);
        assertThatThrownBy(() -> lab(plan, "other claims"))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("claims was claims and is other claims");
    }

    /** Returns what was measured, once each: a fork is repeated if the host has taken CPU time from it. */
    private static Set<ForkKey> keys(Path file) {
        return ForkFile.read(file).stream().map(ForkResult::key).collect(Collectors.toSet());
    }

    @Test
    @Tag("deep")
    void aRunOfWhichNoForkRunsStops() {
        LabPlan plan = new LabPlan(List.of(new Counting()), Size.FULL, List.of(Profile.CLOUD), "", 1, true);
        LabRun run = new LabRun(
                plan,
                folder,
                new VariantFolder(folder.resolve("variants")),
                "no.such.Fork",
                new PrintWriter(System.out));

        assertThatThrownBy(() -> run.run("bench/run lab", "claims"))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("none of the first 8 forks ran")
                .hasMessageContaining("no.such.Fork");
        assertThat(ForkFile.read(folder.resolve(ForkFile.NAME))).hasSize(8).noneMatch(ForkResult::isThere);
    }

    private String lab(LabPlan plan, String claims) {
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        VariantFolder variants = new VariantFolder(folder.resolve("variants"));
        new LabRun(plan, folder, variants, CountingFork.class.getName(), out).run("bench/run lab", claims);
        assertThat(RunFacts.read(folder.resolve(RunFacts.NAME)).get("plan")).isNotEmpty();
        return said.toString();
    }

    /** Measures for longer and longer, until a busy machine has let the callers do some cycles. */
    private ForkResult run(String arm, Condition condition, long fixed, boolean profiled) throws Exception {
        ForkResult result;
        Duration window = Duration.ofMillis(100);
        do {
            Files.deleteIfExists(folder.resolve(ForkFile.NAME));
            result = run(arm, condition, fixed, profiled, window);
            window = window.multipliedBy(2);
        } while (result.isThere() && result.get(Measure.CYCLES) < FEWEST);
        return result;
    }

    private ForkResult run(String arm, Condition condition, long fixed, boolean profiled, Duration window)
            throws Exception {
        ForkKey key = new ForkKey("counting", Profile.CLOUD, 1, arm, condition, profiled);
        Fork.Task task = new Fork.Task(key, Duration.ofMillis(30), window, fixed, 1, "", 0);
        TextFile.writeJson(folder.resolve(JavaCommand.TASK), task);
        assertThat(TextFile.readJson(folder.resolve(JavaCommand.TASK), Fork.Task.class))
                .isEqualTo(task);
        Fork.run(folder, name -> new Counting());
        return ForkFile.read(folder.resolve(ForkFile.NAME)).get(0);
    }
}
