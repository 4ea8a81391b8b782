// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.data.Wait.WaitBucket;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.data.WaitRow.Waits;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.Runs;
import io.memshard.bench.result.Csv;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabReportTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void aRunAndAClaim() throws Exception {
        Files.writeString(
                folder.resolve("claims.csv"),
                "name,title,experiment,profile,source,address,sentence,figures,source_ratio,primary,shapes,margin,"
                        + "change,other_system,revision\n"
                        + "one-wins,One wins,e,cloud,Somebody,somewhere,One is twice as fast.,2 times,2,"
                        + "ratio one / pool at threads=64 above 2,trend one at any of throughput;drop pool at any above 2,0.1,"
                        + "Another machine.,,The source says two.\n");
        Runs.arm("pool", 0.01, Map.of(1, 100.0, 8, 300.0, 64, 100.0)).forEach(this::append);
        Runs.arm("one", 0.01, Map.of(1, 50.0, 8, 150.0, 64, 200.0)).forEach(fork -> {
            append(fork);
            append(again(fork));
        });
        Condition condition = Condition.ofThreads(64);
        WaitRow.write(
                folder.resolve(WaitRow.FILE),
                Stream.of("", "Pool.borrow")
                        .map(frame -> new WaitRow(
                                new ForkKey("e", Profile.CLOUD, 1, "pool", condition, true),
                                2,
                                310,
                                false,
                                new Waits(WaitBucket.LOCK, true, "Lock", frame, 9, 640)))
                        .toList());
        Claims claims = claims();
        facts(Runs.facts("claims", claims.hash()));
    }

    private void append(ForkResult fork) {
        ForkFile.append(folder.resolve(ForkFile.NAME), fork);
    }

    private static ForkResult again(ForkResult fork) {
        ForkKey key = fork.key();
        ForkKey again = new ForkKey(
                key.experiment(), key.profile(), key.block(), key.arm() + ForkKey.AGAIN, key.condition(), false);
        return ForkResult.of(again, fork.measures(), fork.figures(), fork.cyclesByCaller());
    }

    private void facts(RunFacts facts) {
        facts.write(folder.resolve(RunFacts.NAME));
    }

    private LabReport report() {
        return LabReport.of(folder, claims());
    }

    private Claims claims() {
        return Claims.of(Csv.bytes(folder.resolve("claims.csv")));
    }

    private String index() {
        return report().files().getOrDefault(LabReport.INDEX, "");
    }

    @Test
    void theIndexHasEveryVerdictWithItsSourceAndTests() {
        assertThat(index())
                .contains("| One wins | reproduced |")
                .containsPattern("claims `[0-9a-f]{16}`, the same as when the run began")
                .containsPattern("data `[0-9a-f]{16}`")
                .contains("> One is twice as fast.", "**Verdict: reproduced.**", "| `trend one at any of throughput` |")
                .contains("Another machine.", "Changed after the data: The source says two.");
    }

    @Test
    void thePageOfAnExperimentHasEveryConditionAndCheck() {
        assertThat(report().files()).containsOnlyKeys("index.md", "all-e-cloud.md");
        assertThat(report().files().get("all-e-cloud.md"))
                .contains("## Every arm under threads=1")
                .contains("## Every arm under threads=8")
                .contains("The ratio is to `one`. Its second run has a ratio of 1.00 [1.00, 1.00].", "| one | 1 |")
                .contains("(Little's law)")
                .contains("| pool | threads=64 | 29.03 | 5.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 |")
                .contains("5.0 ms per second and caller at `Pool.borrow`, for `Lock`");
    }

    /** Claims of other experiments are left out, and a quick run has no verdict. */
    @ParameterizedTest
    @CsvSource({
        "experiments, another, No claim is about this run.",
        "claims, 0000000000000000, 'made after the run, which began with `0000000000000000`'",
        "size, quick, **Verdict: no verdict.** the run was a quick one."
    })
    void theFactsOfARunDecideOnItsClaims(String fact, String value, String index) {
        facts(Runs.facts(fact, value));

        assertThat(index()).contains(index);
    }

    @Test
    void findingsOfEarlierRunsAreListedToo() throws Exception {
        Files.writeString(
                folder.resolve(LabData.EARLIER),
                "claim,started,data,published,first_verdict,first_found,verdict,found\n"
                        + "one-wins,yesterday,0a,0b,-,1.1,inconclusive,1.2\n");

        assertThat(index()).contains("The run of yesterday, published at 0b: inconclusive, 1.2.");
    }
}
