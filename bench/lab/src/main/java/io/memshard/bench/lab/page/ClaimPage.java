// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.judge.Claim;
import io.memshard.bench.lab.judge.ClaimCheck;
import io.memshard.bench.lab.judge.ClaimCheck.Kind;
import io.memshard.bench.lab.judge.Finding;
import io.memshard.bench.lab.judge.Outcome;
import io.memshard.bench.result.Quartiles;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.table.MarkdownTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One claim on one page: what the source says, what we found, why, and what would change the verdict.
 *
 * <p>Threading: confined to one thread.
 */
final class ClaimPage {

    private final Finding finding;
    private final Claim claim;
    private final LabData data;
    private final Forks forks;
    private final String claimsHash;
    private final Map<String, String> drawings = new LinkedHashMap<>();

    ClaimPage(Finding finding, LabData data, String claimsHash) {
        this.finding = finding;
        this.claim = finding.claim();
        this.data = data;
        this.forks = new Forks(data.forks(), claim.experiment(), claim.profile());
        this.claimsHash = claimsHash;
        draw();
    }

    /** The drawings by the names of their files. */
    Map<String, String> drawings() {
        return drawings;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append("# ").append(claim.title()).append("\n\n");
        text.append("> ").append(claim.sentence()).append("\n\n");
        text.append(claim.source()).append(": ").append(claim.address()).append(". Its figures: ");
        text.append(claim.figures()).append(".\n\n");
        text.append("**Verdict: ").append(finding.verdict().label()).append(".** ");
        text.append(finding.reason()).append(".\n\n## What we found\n\n");
        text.append(new MarkdownTable<Outcome>()
                .text("test", outcome -> "`" + outcome.test().text() + "`")
                .text("found", outcome -> VerdictTable.cell(outcome.text()))
                .text("holds?", outcome -> outcome.result().name().toLowerCase(Locale.ROOT))
                .of(finding.outcomes()));
        text.append(
                "\nThe first test decides. Ratios are medians over blocks of forks with 95 % intervals; a difference"
                        + " below ");
        text.append(String.format(
                Locale.ROOT, "%.0f %% counts as none.%n%n", 100 * claim.margin().fraction()));
        drawings.keySet()
                .forEach(name -> text.append("![")
                        .append(claim.title())
                        .append("](")
                        .append(name)
                        .append(")\n\n"));
        arms(text);
        text.append(WaitTable.of(data, claim));
        text.append("## What would change it\n\n").append(claim.change()).append("\n\n## The run\n\n");
        return text.append(RunLines.of(data.facts(), claimsHash, data.hash())).toString();
    }

    private void draw() {
        List<LabCharts.Ratio> ratios = new ArrayList<>();
        Set<String> arms = new LinkedHashSet<>();
        for (Outcome outcome : finding.outcomes()) {
            ClaimCheck test = outcome.test();
            if (test.kind() == Kind.ABOVE || test.kind() == Kind.BELOW || test.kind() == Kind.EQUAL) {
                Interval found = outcome.found();
                if (Double.isFinite(found.mid()) && found.mid() > 0) {
                    ratios.add(new LabCharts.Ratio(
                            "threads " + test.condition().threads() + ": " + test.arm(),
                            found.low(),
                            found.mid(),
                            found.high(),
                            test.value()));
                }
            }
            if (test.kind() != Kind.COUNTED && test.metric().equals(Metric.THROUGHPUT)) {
                arms.addAll(List.of(test.arm(), test.other()));
                arms.addAll(test.times().keySet());
            }
        }
        if (!ratios.isEmpty()) {
            drawings.put(claim.name() + "-ratios.svg", LabCharts.ratios(claim.title(), ratios));
        }
        arms.remove("");
        curves(arms);
    }

    /** Throughput over threads, where the arms of the claim ran with more than one number of them. */
    private void curves(Set<String> arms) {
        Condition parameters = claim.primary().condition();
        TreeSet<Integer> threads = new TreeSet<>();
        arms.forEach(arm -> threads.addAll(forks.threads(arm, parameters)));
        if (threads.size() < 2) {
            return;
        }
        Map<String, List<Quartiles>> figures = new LinkedHashMap<>();
        for (String arm : arms) {
            figures.put(
                    arm,
                    threads.stream()
                            .map(number -> quartiles(arm, parameters.withThreads(number)))
                            .toList());
        }
        drawings.put(
                claim.name() + "-threads.svg",
                LabCharts.curves(claim.title(), "cycles a second", List.copyOf(threads), figures));
    }

    private Quartiles quartiles(String arm, Condition condition) {
        double[] values = forks.values(arm, condition, Metric.THROUGHPUT);
        return values.length == 0 ? new Quartiles(Double.NaN, Double.NaN, Double.NaN) : Quartiles.of(values);
    }

    /** Every arm that ran under the condition of the primary contrast, beside its second arm. */
    private void arms(StringBuilder text) {
        ClaimCheck primary = claim.primary();
        Condition condition = primary.condition();
        String baseline = forks.has(primary.other(), condition) ? primary.other() : primary.arm();
        text.append(new ArmTable(forks).of(condition, baseline));
        text.append("The other conditions are on the page of [the experiment](")
                .append(ExperimentPage.file(claim.experiment(), claim.profile()))
                .append(").\n\n");
    }
}
