// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.judge.Claims.Claim;
import io.memshard.bench.lab.judge.Judge.Outcome.Result;
import io.memshard.bench.statistics.Bootstrap;
import io.memshard.bench.statistics.Interval;
import java.util.ArrayList;
import java.util.List;

/** Judge of claims, which gives the verdicts that {@code docs/lab-method.md} explains. */
public record Judge(RunFacts facts, List<ForkResult> data, List<WaitRow> waits, Bootstrap bootstrap) {

    public Judge(RunFacts facts, List<ForkResult> data, List<WaitRow> waits) {
        this(facts, data, waits, Bootstrap.STANDARD);
    }

    public Finding judge(Claim claim) {
        List<Outcome> outcomes = new ArrayList<>();
        int cpus = facts.get("cpus").isEmpty() ? 0 : Integer.parseInt(facts.get("cpus"));
        Tester tester = new Tester(
                new Forks(data, claim.experiment(), claim.profile()),
                new Forks(WaitRow.forks(waits), claim.experiment(), claim.profile()),
                cpus,
                claim.margin(),
                bootstrap);
        outcomes.add(tester.ask(claim.primary()));
        claim.shapes().forEach(shape -> outcomes.add(tester.ask(shape)));
        boolean counted = claim.primary().kind() == ClaimCheck.Kind.COUNTED;
        List<String> reasonsAgainst = facts.reasonsAgainst();
        if (!counted && !reasonsAgainst.isEmpty()) {
            return new Finding(claim, Verdict.NONE, String.join("; ", reasonsAgainst), outcomes);
        }
        if (!claim.otherSystem().isEmpty()) {
            String reason = "another system: " + claim.otherSystem() + "; "
                    + outcomes.get(0).text();
            return new Finding(claim, Verdict.NONE, reason, outcomes);
        }
        return verdict(claim, outcomes);
    }

    private static Finding verdict(Claim claim, List<Outcome> outcomes) {
        Outcome primary = outcomes.get(0);
        List<Outcome> weak = outcomes.stream()
                .filter(outcome -> outcome.result() != Result.HOLDS && outcome.result() != Result.LARGER)
                .toList();
        Verdict verdict = switch (primary.result()) {
            case ABSENT -> Verdict.NOT_TESTABLE;
            case UNKNOWN -> Verdict.INCONCLUSIVE;
            case FAILS -> Verdict.NOT_REPRODUCED;
            case WEAKER -> Verdict.PARTLY;
            case HOLDS -> weak.isEmpty() ? Verdict.REPRODUCED : Verdict.PARTLY;
            case LARGER -> weak.isEmpty() ? Verdict.LARGER : Verdict.PARTLY;
        };
        String reason = primary.text();
        if (verdict == Verdict.PARTLY && !weak.contains(primary)) {
            reason += "; but not shown: "
                    + String.join(
                            "; ", weak.stream().map(each -> each.test().brief()).toList());
        }
        return new Finding(claim, verdict, reason, outcomes);
    }

    /** Claim with its verdict. The first outcome is the outcome of the primary test. */
    public record Finding(Claim claim, Verdict verdict, String reason, List<Outcome> outcomes) {}

    public record Outcome(ClaimCheck test, Result result, Interval found, String text) {

        public enum Result {
            HOLDS,
            LARGER,
            /** The difference has the claimed direction, but is smaller than claimed. */
            WEAKER,
            FAILS,
            UNKNOWN,
            ABSENT
        }

        static Outcome absent(ClaimCheck test, String reason) {
            return new Outcome(test, Result.ABSENT, Interval.UNKNOWN, reason);
        }
    }

    public enum Verdict {
        REPRODUCED("reproduced"),
        LARGER("larger than claimed"),
        PARTLY("partly reproduced"),
        NOT_REPRODUCED("not reproduced"),
        INCONCLUSIVE("inconclusive"),
        NOT_TESTABLE("not testable here"),
        NONE("no verdict");

        private final String label;

        Verdict(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }
}
