// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.judge.Outcome.Result;
import io.memshard.bench.statistics.Bootstrap;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives verdicts by rule. The primary contrast of a claim decides; shapes can only make a verdict weaker.
 *
 * <table>
 * <caption>The rule</caption>
 * <tr><td>a machine or an arm is missing<td>not testable here
 * <tr><td>the primary contrast may hold or not<td>inconclusive
 * <tr><td>it does not hold<td>not reproduced
 * <tr><td>it holds, but is smaller than claimed, or a shape does not hold or is not known<td>partly reproduced
 * <tr><td>all hold<td>reproduced
 * </table>
 *
 * <p>Threading: immutable.
 */
public final class Judge {

    private final RunFacts facts;
    private final List<ForkResult> data;
    private final Bootstrap bootstrap;

    /** A judge of the data of one run. */
    public Judge(RunFacts facts, List<ForkResult> data) {
        this(facts, data, Bootstrap.STANDARD);
    }

    Judge(RunFacts facts, List<ForkResult> data, Bootstrap bootstrap) {
        this.facts = facts;
        this.data = List.copyOf(data);
        this.bootstrap = bootstrap;
    }

    /** The verdict on {@code claim}, with what led to it. */
    public Finding judge(Claim claim) {
        List<Outcome> outcomes = new ArrayList<>();
        Tester tester = new Tester(new Forks(data, claim.experiment(), claim.profile()), claim.margin(), bootstrap);
        outcomes.add(tester.ask(claim.primary()));
        claim.shapes().forEach(shape -> outcomes.add(tester.ask(shape)));
        boolean counted = claim.primary().kind() == ClaimCheck.Kind.COUNTED;
        if (!counted && !facts.isFit()) {
            return new Finding(claim, Verdict.NONE, String.join("; ", facts.reasonsAgainst()), outcomes);
        }
        int cpus = facts.get("cpus").isEmpty() ? 0 : Integer.parseInt(facts.get("cpus"));
        if (!counted && cpus < claim.leastCpus()) {
            return new Finding(
                    claim,
                    Verdict.NOT_TESTABLE,
                    "needs " + claim.leastCpus() + " processors, and the machine has " + cpus,
                    outcomes);
        }
        return verdict(claim, outcomes);
    }

    private static Finding verdict(Claim claim, List<Outcome> outcomes) {
        Outcome primary = outcomes.get(0);
        List<Outcome> weak = outcomes.stream()
                .filter(outcome -> outcome.result() != Result.HOLDS)
                .toList();
        Verdict verdict = switch (primary.result()) {
            case ABSENT -> Verdict.NOT_TESTABLE;
            case UNKNOWN -> Verdict.INCONCLUSIVE;
            case FAILS -> Verdict.NOT_REPRODUCED;
            case WEAKER -> Verdict.PARTLY;
            case HOLDS -> weak.isEmpty() ? Verdict.REPRODUCED : Verdict.PARTLY;
        };
        String reason = primary.text();
        if (verdict == Verdict.PARTLY && !weak.contains(primary)) {
            reason += "; but not shown: "
                    + String.join(
                            "; ", weak.stream().map(each -> each.test().text()).toList());
        }
        return new Finding(claim, verdict, reason, outcomes);
    }
}
