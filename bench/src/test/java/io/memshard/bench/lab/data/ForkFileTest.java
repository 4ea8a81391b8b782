// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForkFileTest {

    @TempDir
    private Path folder;

    private static final ForkKey KEY = new ForkKey(
            "venus",
            Profile.CLOUD,
            3,
            "connection-again",
            Condition.ofThreads(8).with("value", 1024),
            false);

    @Test
    void aForkIsReadAsItWasWritten() {
        Path file = folder.resolve(ForkFile.NAME);
        ForkResult fork = fork(Map.of(Measure.SECONDS, 2.0, Measure.CYCLES, 1000.0, Measure.STEAL, 0.0125));

        ForkFile.append(file, fork);
        ForkFile.append(file, ForkResult.failed(KEY, "no such class, \"x\"").attempted(2));

        List<ForkResult> read = ForkFile.read(file);
        assertThat(read).hasSize(2);
        assertThat(read.get(0).key()).isEqualTo(KEY);
        assertThat(read.get(0).figures()).containsEntry("clients_opened", 20.0);
        assertThat(read.get(0).cyclesByCaller()).containsExactly(400L, 600L);
        assertThat(read.get(0).get(Measure.STEAL)).isCloseTo(0.0125, within(1e-9));
        assertThat(read.get(1).isThere()).isFalse();
        assertThat(read.get(1).failure()).isEqualTo("no such class, \"x\"");
        assertThat(read.get(1).attempt()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "experiment | test     | there is no \"experiment\"",
                ",3,1,      | ,many,1, | \"many\" is not a value of \"block\"",
                ",cloud,    | ,all,    | \"all\" is not a value of \"profile\"",
                ",false,,   | ,false   | Not enough column values: expected 30, found 28",
                ",false     | ,\"false | Missing closing quote for value"
            })
    void aDamagedFileIsNamedWithItsFault(String text, String damaged, String fault) throws IOException {
        Path file = folder.resolve(ForkFile.NAME);
        ForkFile.append(file, fork(Map.of()));
        Files.writeString(file, Files.readString(file).replaceFirst(text, damaged));

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> ForkFile.read(file))
                .withMessageStartingWith("cannot read " + file + ": " + fault);
    }

    @Test
    void metricsAreWorkedOutFromAFork() {
        ForkResult fork = fork(Map.of(
                Measure.SECONDS, 2.0,
                Measure.CYCLES, 1000.0,
                Measure.MEAN_US, 16_000.0,
                Measure.CPU_SECONDS, 1.5,
                Measure.SERVER_CPU_SECONDS, 0.5));

        assertThat(Metric.of("throughput", fork)).isEqualTo(500);
        assertThat(Metric.of("cycles_per_core_second", fork)).isEqualTo(500);
        assertThat(Metric.of("client_cpu_us", fork)).isEqualTo(1500);
        assertThat(Metric.of("jain", fork)).isCloseTo(1e6 / (2 * 520_000), within(1e-9));
        assertThat(Metric.of("little", fork))
                .as("500 a second, 16 ms each, 8 callers")
                .isEqualTo(1);
        assertThat(Metric.of("clients_opened", fork)).isEqualTo(20);
        assertThat(Metric.of("unheard_of", fork)).isNaN();
    }

    @Test
    void theBaselineAndItsSecondRunAreOneArmAndTheLastAttemptCounts() {
        ForkResult first = fork(Map.of(Measure.SECONDS, 1.0, Measure.CYCLES, 100.0));
        ForkResult again =
                fork(Map.of(Measure.SECONDS, 1.0, Measure.CYCLES, 200.0)).attempted(2);

        Forks forks = new Forks(List.of(again, first), "venus", Profile.CLOUD);

        assertThat(forks.arms()).containsExactly("connection");
        assertThat(forks.figures("connection", KEY.condition(), Metric.THROUGHPUT))
                .hasEntrySatisfying(3, figures -> assertThat(figures).containsExactly(200.0))
                .hasSize(1);
        assertThat(forks.threads("connection", Condition.parse("threads=1,value=1024")))
                .containsExactly(8);
    }

    @Test
    void allRoundsOfAForkCount() {
        ForkResult first = fork(Map.of(Measure.SECONDS, 1.0, Measure.CYCLES, 100.0));
        ForkResult second = fork(Map.of(Measure.SECONDS, 1.0, Measure.CYCLES, 200.0));

        Forks forks = new Forks(List.of(first, second), "venus", Profile.CLOUD);

        assertThat(forks.values("connection", KEY.condition(), Metric.THROUGHPUT))
                .containsExactly(100, 200);
    }

    @Test
    void aRunResumesOnlyWithTheSameBuildMachineAndPlan() {
        RunFacts before = new RunFacts(Map.of("commit", "a", "jdk", "17", "plan", "p"));

        assertThat(before.differencesFrom(new RunFacts(Map.of("commit", "a", "jdk", "17", "plan", "p", "busy", "x"))))
                .isEmpty();
        assertThat(before.differencesFrom(new RunFacts(Map.of("commit", "a", "jdk", "25", "plan", "q"))))
                .containsExactly("jdk was 17 and is 25", "plan was p and is q");
        RunFacts dirty = new RunFacts(Map.of("commit", "a-dirty"));
        assertThat(dirty.differencesFrom(dirty)).singleElement().asString().contains("files differ");
    }

    @Test
    void factsAreReadAsTheyWereWritten() throws Exception {
        Path file = folder.resolve(RunFacts.NAME);
        RunFacts facts = new RunFacts(Map.of("command", "bench/run lab --full 'a, b'", "busy", ""));

        facts.write(file);

        assertThat(RunFacts.read(file)).isEqualTo(facts);
    }

    private static ForkResult fork(Map<Measure, Double> measures) {
        Map<Measure, Double> all = new EnumMap<>(Measure.class);
        for (Measure measure : Measure.values()) {
            all.put(measure, 0.0);
        }
        all.putAll(measures);
        return new ForkResult(KEY, 1, "", all, new TreeMap<>(Map.of("clients_opened", 20.0)), List.of(400L, 600L));
    }
}
