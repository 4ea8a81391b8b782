// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.Runs;
import io.memshard.bench.lab.page.LabReport.VerdictTable;
import io.memshard.bench.locks.ProfiledLoad.CallerWaits;
import io.memshard.bench.locks.Wait.WaitBucket;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.result.Csv;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabReportTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void aRunAndAClaim() throws Exception {
        Files.writeString(
                folder.resolve("claims.csv"),
                "name,title,experiment,profile,source,address,sentence,figures,primary,shapes,margin,least_cpus,"
                        + "change\n"
                        + "one-wins,One wins,e,cloud,Somebody,somewhere,One is twice as fast.,2 times,"
                        + "ratio one / pool at threads=64 above 2,rise one at any;drop pool at any above 2,0.1,0,"
                        + "Another machine.\n");
        Runs.arm("pool", 0.01, Map.of(1, 100.0, 8, 300.0, 64, 100.0)).forEach(this::append);
        Runs.arm("one", 0.01, Map.of(1, 50.0, 8, 150.0, 64, 200.0)).forEach(this::append);
        Condition condition = Condition.ofThreads(64);
        WaitRow.write(
                folder.resolve(WaitRow.FILE),
                Stream.of("", "Pool.borrow")
                        .map(frame -> new WaitRow(
                                new ForkKey("e", Profile.CLOUD, 1, "pool", condition, true),
                                2,
                                310,
                                false,
                                new CallerWaits(WaitBucket.LOCK, true, 9, 640),
                                "Lock",
                                frame))
                        .toList());
        Claims claims = claims();
        facts(Runs.facts("claims", claims.hash()));
    }

    private void append(io.memshard.bench.lab.data.ForkResult fork) {
        ForkFile.append(folder.resolve(ForkFile.NAME), fork);
    }

    private void facts(RunFacts facts) {
        facts.write(folder.resolve(RunFacts.NAME));
    }

    private LabReport report() {
        return LabReport.of(folder, claims());
    }

    private Claims claims() {
        return Claims.of(Csv.bytes(folder.resolve("claims.csv")), new byte[0]);
    }

    @Test
    void theIndexHasEveryVerdictAndBothHashes() {
        assertThat(report().index(""))
                .contains("| [One wins](one-wins.md) | **reproduced** |")
                .containsPattern("claims `[0-9a-f]{16}`, the same as when the run began")
                .containsPattern("data `[0-9a-f]{16}`");
    }

    @Test
    void thePageOfAClaimHasTheSourceOurFiguresTheProfileAndWhatWouldChangeIt() {
        Map<String, String> files = report().files();

        assertThat(files).containsOnlyKeys("index.md", "one-wins.md", "one-wins-threads.svg", "all-e-cloud.md");
        assertThat(files.get("one-wins.md"))
                .contains("> One is twice as fast.")
                .contains("**Verdict: reproduced.**")
                .contains("| `rise one at any` |")
                .contains("| pool | 1 |")
                .contains("| pool | threads=64 | 29.03 | 5.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 |")
                .contains("5.0 ms a second and caller at `Pool.borrow`, for `Lock`")
                .contains("Another machine.");
        assertThat(files.get("one-wins-threads.svg"))
                .contains("<desc>Cycles a second with ")
                .contains("<svg");
    }

    @Test
    void thePageOfAnExperimentHasEveryConditionAndTheChecksOfTheMeasuring() {
        assertThat(report().files().get("all-e-cloud.md"))
                .contains("## Every arm under threads=1")
                .contains("## Every arm under threads=8")
                .contains("(Little's law)");
    }

    @Test
    void claimsOfOtherExperimentsAreLeftOut() {
        facts(Runs.facts("experiments", "another"));

        assertThat(report().findings()).isEmpty();
        assertThat(report().index("")).startsWith("No claim is about this run.");
    }

    @Test
    void pagesAreTheSameForTheSameData() {
        assertThat(report().files()).isEqualTo(report().files());
    }

    @Test
    void claimsThatWereChangedAfterTheRunAreSeen() {
        facts(Runs.facts("claims", "0000000000000000"));

        assertThat(report().index("")).contains("not those of the run: 0000000000000000");
    }

    @Test
    void bothVersionsOfAClaimAreJudgedAndShown() throws Exception {
        byte[] first = Csv.bytes(folder.resolve("claims.csv"));
        String second = Files.readString(folder.resolve("claims.csv"))
                .replace("change\n", "change,revision\n")
                .replace("above 2,rise", "above 9,rise")
                .replace("Another machine.\n", "Another machine.,The source says nine.\n");
        Claims both = Claims.of(second.getBytes(StandardCharsets.UTF_8), first);
        facts(Runs.facts("claims", both.firstHash()));
        LabReport report = LabReport.of(folder, both);

        assertThat(report.index(""))
                .contains("| **partly reproduced** |", "| reproduced | one |")
                .contains("claims version 2 `" + both.hash() + "`, made after the data; version 1 `" + both.firstHash()
                        + "`, the same as when the run began");
        assertThat(report.files().get("one-wins.md"))
                .contains("## What changed after the data", "The source says nine. Version 1: `ratio one / pool");
        assertThat(VerdictTable.claims(both)).contains(both.hash(), both.firstHash(), "The source says nine.");
    }

    @Test
    void aVerdictThatFlipsBetweenRunsSaysSo() throws Exception {
        earlier("reproduced");
        assertThat(report().index("")).contains("| 2 agree |");
        earlier("no verdict");
        assertThat(report().index("")).contains("| one |");

        earlier("inconclusive");

        assertThat(report().index("")).contains("| **flips**: inconclusive, reproduced |");
        assertThat(report().files().get("one-wins.md"))
                .contains("| yesterday, data `0a` at 0b | -: 1.1 | inconclusive: 1.2 |");
    }

    private void earlier(String verdict) throws Exception {
        Files.writeString(
                folder.resolve(LabData.EARLIER),
                "claim,started,data,published,first_verdict,first_found,verdict,found\n" + "one-wins,yesterday,0a,0b,"
                        + "-,1.1," + verdict + ",1.2\n");
    }

    @Test
    void aQuickRunHasPagesAndNoVerdict() {
        facts(Runs.facts("size", "quick"));

        assertThat(report().index("")).contains("**no verdict** | the run was a quick one |");
    }

    @Test
    void theClaimsAreATableBeforeThereIsAnyData() {
        assertThat(VerdictTable.claims(Claims.load()))
                .contains("Hash of version 2, made after the data: `", "of version 1, fixed before them: `")
                .contains("| venus | Connection passes Template as threads grow. |");
    }
}
