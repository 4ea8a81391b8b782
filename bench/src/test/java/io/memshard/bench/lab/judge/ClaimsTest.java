// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.bench.lab.Experiments;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.judge.ClaimCheck.Kind;
import io.memshard.bench.lab.judge.Claims.Claim;
import io.memshard.bench.statistics.Margin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClaimsTest {

    @Test
    void everyClaimCanBeReadAndHasANameOfItsOwn() {
        Claims claims = Claims.load();

        assertThat(claims.all()).hasSizeGreaterThan(15);
        assertThat(claims.all()).extracting(Claim::name).doesNotHaveDuplicates();
        assertThat(claims.hash()).matches("[0-9a-f]{16}");
    }

    /**
     * A claim whose arms never run together would be "not testable" for ever. A curve is judged in blocks that have all
     * of its points: a point that runs in some blocks only would take the others away.
     */
    @Test
    void everyFullPlanRunsTheArmsOfItsClaims() {
        for (Claim claim : Claims.load().all()) {
            Experiments.ALL.stream()
                    .filter(experiment -> experiment.name().equals(claim.experiment())) // None for claims of bench/go.
                    .map(experiment -> experiment.plan(Experiment.Size.FULL, claim.profile()))
                    .forEach(plan -> Stream.concat(Stream.of(claim.primary()), claim.shapes().stream())
                            .filter(test -> test.kind() != Kind.COUNTED)
                            .forEach(test -> check(test, plan)));
        }
    }

    private static void check(ClaimCheck test, Plan plan) {
        assertThat(plan.blocks()).as(test.text()).isGreaterThanOrEqualTo(5);
        List<Plan.Cell> aside =
                plan.aside().stream().filter(cell -> suits(test, cell)).toList();
        if (List.of(Kind.CROSSING, Kind.DROP, Kind.TREND).contains(test.kind())) {
            assertThat(aside).extracting(Plan.Cell::arm).as(test.text()).doesNotContain(test.arm(), test.other());
        }
        Stream<Plan.Cell> all =
                Stream.concat(aside.stream(), plan.cells().stream().filter(cell -> suits(test, cell)));
        assertThat(all.map(Plan.Cell::arm).toList())
                .as(test.text())
                .containsAll(Stream.concat(Stream.of(test.arm(), test.other()), test.times().keySet().stream())
                        .filter(arm -> !arm.isEmpty())
                        .toList());
    }

    private static boolean suits(ClaimCheck test, Plan.Cell cell) {
        Condition condition = cell.condition();
        boolean ofThreads = test.text().contains("threads=");
        return (ofThreads ? condition : condition.withThreads(1)).equals(test.condition());
    }

    @Test
    void aTestIsReadWordByWord() {
        ClaimCheck ratio = ClaimCheck.parse("ratio a / b at threads=8,hold=none of jain above 1.8");

        assertThat(ratio.kind()).isEqualTo(ClaimCheck.Kind.ABOVE);
        assertThat(ratio.arm()).isEqualTo("a");
        assertThat(ratio.other()).isEqualTo("b");
        assertThat(ratio.condition().label()).isEqualTo("threads=8,hold=none");
        assertThat(ratio.metric()).isEqualTo("jain");
        assertThat(ratio.value()).isEqualTo(1.8);
        assertThat(ClaimCheck.parse("drop connection at value=10").condition().label())
                .isEqualTo("threads=1,value=10");
        assertThat(ClaimCheck.parse("ranks at threads=100 as x=1468 y=12").times())
                .containsEntry("x", 1468.0)
                .containsEntry("y", 12.0);
        assertThat(ClaimCheck.parse("crossing a over b at any until 16").value())
                .isEqualTo(16);
    }

    @Test
    void aTestThatTheSourcesOwnFiguresFailIsRefused() {
        ClaimCheck equal = ClaimCheck.parse("equal a / b at threads=50");

        assertThat(equal.holdsFor(0.84, new Margin(0.1))).isFalse();
        assertThat(equal.holdsFor(0.84, new Margin(0.75))).isTrue();
        String claim = "n,t,venus,cloud,s,a,s,f,0.84,equal a / b at threads=50,,0.1,c,,r\n";
        String head =
                "name,title,experiment,profile,source,address,sentence,figures,source_ratio,primary,shapes,margin,"
                        + "change,other_system,revision\n";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Claims.of((head + claim).getBytes(StandardCharsets.UTF_8)))
                .withMessage("claim \"n\": the published ratio 0.84 does not pass the test"
                        + " \"equal a / b at threads=50\"");
    }

    @Test
    void aTestThatTheJudgeDoesNotUnderstandIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClaimCheck.parse("a is much faster than b"))
                .withMessageContaining("a is much faster than b");
        assertThatIllegalArgumentException().isThrownBy(() -> ClaimCheck.parse("crossing a over b at any"));
    }
}
