// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.data.Wait.WaitBucket;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.data.WaitRow.Waits;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.judge.Claims.Claim;
import io.memshard.bench.lab.judge.Judge.Finding;
import io.memshard.bench.lab.judge.Judge.Verdict;
import io.memshard.bench.statistics.Bootstrap;
import io.memshard.bench.statistics.Margin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JudgeTest {

    private final List<ForkResult> data = new ArrayList<>();
    private final List<WaitRow> waits = new ArrayList<>();

    JudgeTest() {
        data.addAll(Runs.arm("pool", 0.01, Map.of(1, 100.0, 8, 300.0, 64, 100.0)));
        data.addAll(Runs.arm("one", 0.01, Map.of(1, 50.0, 8, 150.0, 64, 200.0)));
        data.addAll(Runs.arm("same", 0.01, Map.of(1, 50.0, 8, 150.0, 64, 200.0)));
        data.addAll(Runs.arm("noisy", 0.8, Map.of(64, 200.0)));
        data.addAll(Runs.arm("bends", 0.01, Map.of(1, 10.0, 8, 80.0, 32, 85.0, 64, 85.0)));
        data.addAll(Runs.arm("late", 0.01, Map.of(1, 0.0, 8, 10.0, 64, 20.0)));
        data.addAll(Runs.arm("never", 0.01, Map.of(1, 0.0, 8, 0.0, 64, 0.0)));
        data.addAll(Runs.arm("rare", 0.01, Map.of(64, 0.0)));
        data.add(Runs.fork(11, "rare", Condition.ofThreads(64), 3));
        data.addAll(Runs.arm("low", 0.01, Map.of(1, 10.0, 8, 15.0, 64, 20.0)));
        data.addAll(Runs.arm("least", 0.01, Map.of(64, 10.0)));
    }

    /**
     * An effect above the source's by half is larger. A median of forks says nothing of an event that is rare. Chance
     * gives the ranks of three systems in one of six cases. A curve that bends rises as a whole, and not beyond the
     * bend.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ratio one / pool at threads=64 above                      | REPRODUCED
                    ratio one / pool at threads=64 above 2                    | REPRODUCED
                    ratio pool / one at threads=64 below 0.5                  | REPRODUCED
                    ratio one / pool at threads=64 above 1.3                  | LARGER
                    ratio pool / one at threads=64 below 0.8                  | LARGER
                    ratio one / pool at threads=64 above 1.4                  | REPRODUCED
                    ratio one / pool at threads=64 above 4                    | PARTLY
                    ratio one / same at threads=64 above                      | NOT_REPRODUCED
                    ratio pool / one at threads=64 above                      | NOT_REPRODUCED
                    equal one / same at threads=64                            | REPRODUCED
                    equal one / pool at threads=64                            | NOT_REPRODUCED
                    equal one / same at any until 64                          | REPRODUCED
                    equal one / pool at any until 8                           | NOT_REPRODUCED
                    ratio one / never at threads=64 above                     | REPRODUCED
                    ratio never / one at threads=64 below                     | REPRODUCED
                    ratio never / one at threads=64 above                     | NOT_REPRODUCED
                    ratio never / never at threads=64 above                   | NOT_REPRODUCED
                    equal never / never at threads=64                         | REPRODUCED
                    ratio noisy / one at threads=64 above                     | INCONCLUSIVE
                    drop pool at any above 2                                  | REPRODUCED
                    drop one at any above 2                                   | NOT_REPRODUCED
                    drop pool at any                                          | REPRODUCED
                    drop one at any                                           | NOT_REPRODUCED
                    crossing one over pool at any until 64                    | REPRODUCED
                    crossing one over pool at any until 8                     | NOT_REPRODUCED
                    trend one at any of throughput                            | REPRODUCED
                    trend bends at any of throughput                          | REPRODUCED
                    trend bends at any from 32 of throughput                  | NOT_REPRODUCED
                    trend late at any of throughput                           | REPRODUCED
                    trend never at any of throughput                          | NOT_REPRODUCED
                    figure pool at threads=8 of physical_connections above 10 | REPRODUCED
                    figure pool at threads=8 of physical_connections above 11 | NOT_REPRODUCED
                    occurs rare at threads=64 of cycles                       | REPRODUCED
                    occurs never at threads=64 of cycles                      | NOT_REPRODUCED
                    occurs rare at threads=64 of cycles above 3               | NOT_REPRODUCED
                    ranks at threads=64 as one=10 pool=20 low=30 least=40     | REPRODUCED
                    ranks at threads=64 as one=20 pool=10 low=30 least=40     | INCONCLUSIVE
                    ranks at threads=64 as one=40 pool=30 low=20 least=10     | NOT_REPRODUCED
                    first pool at any as low                                  | REPRODUCED
                    first low at any as one pool                              | NOT_REPRODUCED
                    first pool at any as one low                              | PARTLY
                    """)
    void aTestHasItsVerdict(String test, Verdict verdict) {
        assertThat(verdict(test)).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ratio noisy / one at threads=64 above  | four runs of five would have seen
                    ratio one / never at threads=64 above  | beside 0
                    trend late at any of throughput        | 0.0 at 1 thread and 31 at 64
                    drop pool at any                       | the peak, at 8 threads, is
                    occurs rare at threads=64 of cycles    | in 1 of 11 forks
                    first pool at any as one low           | first of 3 in 2 of 3 columns
                    ranks at threads=64 as one=10 pool=20 low=30 least=40 | random orders reach this in 4.2 %
                    """)
    void theReasonNamesTheFinding(String test, String reason) {
        assertThat(judge(Runs.facts(), test).reason()).contains(reason);
    }

    @Test
    void aShapeMakesAVerdictWeaker() {
        assertThat(verdict("ratio one / pool at threads=64 above", "trend one at any of throughput"))
                .isEqualTo(Verdict.REPRODUCED);
        Finding finding =
                judge(Runs.facts(), "ratio one / pool at threads=64 above", "trend pool at any of throughput");
        assertThat(finding.verdict()).isEqualTo(Verdict.PARTLY);
        assertThat(finding.reason()).contains("trend pool at any of throughput");
        assertThat(verdict("ratio one / pool at threads=64 above 1.3", "trend pool at any of throughput"))
                .isEqualTo(Verdict.PARTLY);
    }

    @Test
    void blocksWithoutARatioAreNotLeftOut() {
        data.addAll(Runs.arm("scarce", 0.01, Map.of(64, 0.0)));
        data.add(Runs.fork(11, "scarce", Condition.ofThreads(64), 1));
        data.add(Runs.fork(11, "one", Condition.ofThreads(64), 100));
        assertThat(verdict("ratio one / scarce at threads=64 above")).isEqualTo(Verdict.REPRODUCED);

        data.add(Runs.fork(12, "scarce", Condition.ofThreads(64), 1_000));
        data.add(Runs.fork(12, "one", Condition.ofThreads(64), 100));
        assertThat(verdict("ratio one / scarce at threads=64 above")).isEqualTo(Verdict.INCONCLUSIVE);
    }

    @Test
    void anArmThatWasNotWarmIsJudgedByItsSecondHalves() {
        data.replaceAll(fork -> fork.key().arm().equals("one")
                ? ForkResult.of(fork.key(), fork.measures(), Map.of(Metric.DRIFT, 1.5), List.of())
                : fork);

        Finding finding = judge(Runs.facts(), "ratio one / pool at threads=64 above 2.5");
        assertThat(finding.verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(finding.reason())
                .startsWith("2.")
                .endsWith("; by second halves, because of the warm-up of one under threads=64 (1.50)");
        assertThat(verdict("ratio same / pool at threads=64 above 2.5")).isEqualTo(Verdict.PARTLY);
    }

    @Test
    void lockWaitsComeFromTheLockProfiles() {
        waits("few", 2, 100, 10);
        waits("few", 8, 10, 100);
        waits("few", 64, 9, 1_000);
        waits("few", 300, 8, 10_000);

        assertThat(verdict("trend few at any of lock_waits_per_cycle")).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(verdict("trend few at any of lock_us_per_cycle")).isEqualTo(Verdict.REPRODUCED);
        assertThat(verdict("trend one at any of lock_us_per_cycle")).isEqualTo(Verdict.NOT_TESTABLE);
    }

    @Test
    void waitsForLocksHaveAPlace() {
        waits("few", 64, 9, 1_000);
        WaitRow all = waits.get(0);
        waits.add(new WaitRow(
                all.key(), 1, 1_000, false, new Waits(WaitBucket.LOCK, true, "Lock", "a.Pool.recycle", 6, 250)));

        assertThat(judge(Runs.facts(), "occurs few at threads=64 of lock_waits_at_recycle above 0.005"))
                .extracting(Finding::verdict, Finding::reason)
                .containsExactly(Verdict.REPRODUCED, "lock_waits_at_recycle exceeds 0.00500 in 1 of 1 forks: 0.00600");
        assertThat(verdict("occurs few at threads=64 of lock_share_at_recycle above 0.25"))
                .isEqualTo(Verdict.NOT_REPRODUCED);
    }

    private void waits(String arm, int threads, long count, double millis) {
        waits.add(new WaitRow(
                new ForkKey("e", Profile.CLOUD, 1, arm, Condition.ofThreads(threads), true),
                1,
                1_000,
                false,
                new Waits(WaitBucket.LOCK, true, "", "", count, millis)));
    }

    @Test
    void processorShareIsRelativeToTheMachine() {
        String test = "figure one at threads=64 of cpu_share above 0.95";

        // A fork of these has a second of CPU time in a second.
        assertThat(judge(Runs.facts("cpus", "1"), test).verdict()).isEqualTo(Verdict.REPRODUCED);
        Finding half = judge(Runs.facts("cpus", "2"), test);
        assertThat(half.verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(half.reason()).isEqualTo("cpu_share is 0.50 [0.50, 0.50]");
    }

    @Test
    void aFigureOfAnotherSystemGivesNoVerdict() {
        Finding finding = judgeOf("one call, not three", Runs.facts(), "ratio one / pool at threads=64 above");

        assertThat(finding.verdict()).isEqualTo(Verdict.NONE);
        assertThat(finding.reason()).startsWith("another system: one call, not three; ");
        assertThat(verdict("ratio one / pool at threads=64 above")).isEqualTo(Verdict.REPRODUCED);
    }

    @Test
    void aClaimWhoseArmDidNotRunIsNotTestable() {
        Finding absent = judge(Runs.facts(), "ratio one / elsewhere at threads=64 above");

        assertThat(absent.verdict()).isEqualTo(Verdict.NOT_TESTABLE);
        assertThat(absent.reason()).contains("elsewhere");
    }

    @Test
    void fewProcessorsShowADifferenceOfLocksAndNotItsAbsence() {
        RunFacts two = Runs.facts("cpus", "2");
        String ahead = "ratio one / pool at threads=64 above on 4 processors";
        String equal = "equal one / same at threads=64 on 4 processors";

        assertThat(judge(two, ahead).verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(judge(two, "ratio one / same at threads=64 above on 4 processors"))
                .extracting(Finding::verdict, Finding::reason)
                .containsExactly(Verdict.NOT_TESTABLE, "needs 4 processors, and the machine has 2");
        assertThat(judge(two, equal).verdict()).isEqualTo(Verdict.NOT_TESTABLE);
        assertThat(judge(two, ahead, equal).verdict()).isEqualTo(Verdict.PARTLY);
        assertThat(verdict(equal)).isEqualTo(Verdict.REPRODUCED);
    }

    @Test
    void noVerdictFollowsFromAQuickRunABusyMachineOrADirtyTree() {
        String test = "ratio one / pool at threads=64 above";

        assertThat(judge(Runs.facts("size", "quick"), test).verdict()).isEqualTo(Verdict.NONE);
        assertThat(judge(Runs.facts("busy", "load average 9.0 on 2 CPUs"), test).reason())
                .contains("load average 9.0");
        assertThat(judge(Runs.facts("commit", "0123456789ab-dirty"), test).verdict())
                .isEqualTo(Verdict.NONE);
    }

    @Test
    void aClaimThatAUnitTestCountsNeedsNoRun() {
        assertThat(judge(Runs.facts("size", "quick"), "counted PoolLockCountTest partly")
                        .verdict())
                .isEqualTo(Verdict.PARTLY);
    }

    private Verdict verdict(String primary, String... shapes) {
        return judge(Runs.facts(), primary, shapes).verdict();
    }

    private Finding judge(RunFacts facts, String primary, String... shapes) {
        return judgeOf("", facts, primary, shapes);
    }

    private Finding judgeOf(String otherSystem, RunFacts facts, String primary, String... shapes) {
        Claim claim = new Claim(
                "claim",
                "A claim",
                "e",
                Profile.CLOUD,
                "somebody",
                "somewhere",
                "one is faster",
                "none",
                Double.NaN,
                ClaimCheck.parse(primary),
                Arrays.stream(shapes).map(ClaimCheck::parse).toList(),
                new Margin(0.1),
                "nothing",
                otherSystem,
                "");
        return new Judge(facts, data, waits, new Bootstrap(300, 1)).judge(claim);
    }
}
