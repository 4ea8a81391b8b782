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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    /** A claim whose arms are never run together would be "not testable" for ever, and no caller would notice. */
    @Test
    void everyClaimNamesArmsAndConditionsOfItsFullPlan() {
        List<String> missing = new ArrayList<>();
        for (Claim claim : Claims.load().all()) {
            Optional<Experiment> experiment = Experiments.all().stream()
                    .filter(each -> each.name().equals(claim.experiment()))
                    .findFirst();
            experiment.ifPresent(found -> {
                Plan plan = found.plan(Experiment.Size.FULL, claim.profile());
                check(claim, claim.primary(), plan, missing);
                claim.shapes().forEach(shape -> check(claim, shape, plan, missing));
            });
        }
        assertThat(missing).as("what no full plan runs").isEmpty();
    }

    /**
     * A curve is judged in blocks that have all of its points. A point that runs in some blocks only would take the
     * others away.
     */
    @Test
    void nothingAsideAddsAPointToACurveOfAClaim() {
        for (Claim claim : Claims.load().all()) {
            if (Experiments.all().stream().noneMatch(each -> each.name().equals(claim.experiment()))) {
                continue; // Of bench/go.
            }
            Plan plan = Experiments.named(claim.experiment()).plan(Experiment.Size.FULL, claim.profile());
            assertThat(plan.blocks()).as(claim.experiment()).isGreaterThanOrEqualTo(5);
            List<ClaimCheck> tests = new ArrayList<>(claim.shapes());
            tests.add(claim.primary());
            for (ClaimCheck test : tests) {
                if (List.of(Kind.CROSSING, Kind.DROP, Kind.TREND).contains(test.kind())) {
                    assertThat(plan.aside())
                            .as(test.text())
                            .noneMatch(cell ->
                                    (cell.arm().equals(test.arm()) || cell.arm().equals(test.other()))
                                            && suits(test, cell.condition()));
                }
            }
        }
    }

    private static void check(Claim claim, ClaimCheck test, Plan plan, List<String> missing) {
        List<String> arms = new ArrayList<>(test.times().keySet());
        arms.add(test.arm());
        arms.add(test.other());
        if (test.kind() == ClaimCheck.Kind.COUNTED) {
            return;
        }
        for (String arm : arms) {
            boolean runs = Stream.concat(plan.cells().stream(), plan.aside().stream())
                    .anyMatch(cell -> cell.arm().equals(arm) && suits(test, cell.condition()));
            if (!arm.isEmpty() && !runs) {
                missing.add(claim.name() + ": " + arm + " in \"" + test.text() + "\"");
            }
        }
    }

    private static boolean suits(ClaimCheck test, Condition condition) {
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
                .withMessage("claim \"n\": the source's own ratio of 0.84 does not pass equal a / b at threads=50");
    }

    @Test
    void aTestThatTheJudgeDoesNotUnderstandIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClaimCheck.parse("a is much faster than b"))
                .withMessageContaining("a is much faster than b");
        assertThatIllegalArgumentException().isThrownBy(() -> ClaimCheck.parse("crossing a over b at any"));
    }
}
