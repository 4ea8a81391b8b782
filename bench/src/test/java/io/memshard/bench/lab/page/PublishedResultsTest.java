// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.judge.Claims;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

@Tag("deep")
class PublishedResultsTest {

    private static final Path RESULTS = Path.of("..", "docs", "results");

    @Test
    void theJudgeGivesTheseVerdictsOnTheDataOfTheRepository() {
        Claims claims = Claims.load();
        String verdicts = Stream.of(
                        "venus",
                        "pool-cycle",
                        "queues",
                        "druid-fairness",
                        "druid-table",
                        "opencms",
                        "sync-pool",
                        "go-sync-pool",
                        "false-sharing")
                .flatMap(name -> LabReport.of(RESULTS.resolve("lab-" + name), claims).findings().stream())
                .map(finding ->
                        finding.claim().name() + ": " + finding.verdict().label())
                .collect(Collectors.joining("\n", "", "\n"));

        assertThat(claims.all()).noneMatch(claim -> claim.title().matches(".*(fast|slow)(er|est).*"));
        assertThat(verdicts).isEqualTo("""
                        template-few-threads: reproduced
                        template-collapses: reproduced
                        connection-rises: partly reproduced
                        connection-passes-template: reproduced
                        queue-waits: reproduced
                        pool-locks-are-why: not testable here
                        two-locks-in-the-client: not reproduced
                        array-helps: partly reproduced
                        array-of-twenty: not reproduced
                        context-switches: partly reproduced
                        four-acquisitions: partly reproduced
                        lock-waits-rise: not testable here
                        one-lock-against-two: not testable here
                        transfer-queue: no verdict
                        unfair-doubles: larger than claimed
                        max-wait-makes-fair: reproduced
                        waits-in-recycle: partly reproduced
                        hikari-faster-still: larger than claimed
                        cpu-near-100: no verdict
                        druid-first: reproduced
                        druid-ranks: partly reproduced
                        druid-ranks-jdk-7: partly reproduced
                        tomcat-near-druid: reproduced
                        proxool-errors: partly reproduced
                        proxool-connections: reproduced
                        c3p0-bonecp-open-all: reproduced
                        one-above-maximum: not reproduced
                        opencms-100: no verdict
                        opencms-400: no verdict
                        opencms-falls: no verdict
                        shared-pool-collapses: reproduced
                        sharded-locks: reproduced
                        padded-parts: reproduced
                        victim-cache: no verdict
                        reuse-beats-allocation: no verdict
                        go-reuse-as-printed: no verdict
                        go-reuse-corrected: no verdict
                        false-sharing: inconclusive
                        """);
    }

    /**
     * Sixty cells, drawn at random: forty of the lab and twenty of comparisons. The rows of their data still give them.
     */
    @ParameterizedTest
    @CsvFileSource(resources = "published-cells.csv", numLinesToSkip = 1)
    void theDataStillGiveThePublishedCell(
            String folder, String condition, String baseline, String row, String column, String cell) {
        String table = condition == null ? ofComparison(folder, baseline) : ofLab(folder, condition, baseline);

        assertThat(cell(table, row, column).replaceAll(" (faster|slower|inconclusive)", ""))
                .isEqualTo(cell);
    }

    private static String ofLab(String folder, String condition, String baseline) {
        LabData data = LabData.read(RESULTS.resolve(folder));
        Forks forks = data.forks(folder.substring("lab-".length()));
        return new ArmTable(forks, true).of(Condition.parse(condition), baseline);
    }

    private static String ofComparison(String folder, String baseline) {
        return Comparison.read(RESULTS.resolve(folder)).table(baseline, List.of());
    }

    private static String cell(String table, String row, String column) {
        List<List<String>> rows = table.lines()
                .filter(line -> line.startsWith("|"))
                .map(line -> Arrays.stream(line.split("\\|", -1))
                        .skip(1)
                        .map(String::strip)
                        .toList())
                .toList();
        return rows.stream()
                .filter(cells -> cells.get(0).equals(row))
                .findFirst()
                .orElseThrow()
                .get(rows.get(0).indexOf(column));
    }
}
