// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.chart.DotChart;
import io.memshard.bench.chart.LineChart;
import io.memshard.bench.chart.Numbers;
import io.memshard.bench.chart.SeriesStyle;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.judge.ClaimCheck;
import io.memshard.bench.lab.judge.ClaimCheck.Kind;
import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.Claims.Claim;
import io.memshard.bench.lab.judge.Judge.Finding;
import io.memshard.bench.lab.judge.Judge.Outcome;
import io.memshard.bench.lab.page.LabReport.VerdictTable;
import io.memshard.bench.lab.page.LabReport.Verdicts;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.Sample;
import io.memshard.bench.table.MarkdownTable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Page of one claim: the statement of the source, the result, its cause, and what would change the verdict.
 *
 * <p>Threading: confined to one thread.
 */
final class ClaimPage {

    private static final Set<Kind> RATIOS = EnumSet.of(Kind.ABOVE, Kind.BELOW, Kind.EQUAL);
    private static final SeriesStyle CLAIMED = new SeriesStyle("#5d6770", "none", SeriesStyle.Mark.DIAMOND);

    private final Verdicts verdicts;
    private final Finding finding;
    private final Claim claim;
    private final LabData data;
    private final Forks forks;
    private final Claims claims;
    private final Map<String, String> drawings = new LinkedHashMap<>();

    ClaimPage(Verdicts verdicts, LabData data, Claims claims) {
        this.verdicts = verdicts;
        this.finding = verdicts.finding();
        this.claim = finding.claim();
        this.data = data;
        this.forks = new Forks(data.forks(), claim.experiment(), claim.profile());
        this.claims = claims;
        draw();
    }

    /** Returns the drawings by the names of their files. */
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
        text.append(finding.reason()).append(".\n\n");
        history(text);
        text.append("## What we found\n\n");
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
        return text.append(data.lines(claims)).toString();
    }

    /** Adds what was changed after the data, and the verdicts on all runs by both versions. */
    private void history(StringBuilder text) {
        String change = VerdictTable.change(claims, claim);
        if (!change.isEmpty()) {
            text.append("## What changed after the data\n\n").append(change).append("\n\n");
        }
        if (verdicts.earlier().isEmpty() && verdicts.first().isEmpty()) {
            return;
        }
        List<List<String>> runs = new ArrayList<>();
        verdicts.earlier()
                .forEach(row -> runs.add(List.of(
                        row.text("started") + ", data `" + row.text("data") + "` at " + row.text("published"),
                        row.text("first_verdict") + ": " + row.text("first_found"),
                        row.text("verdict") + ": " + row.text("found"))));
        runs.add(List.of(
                data.facts().get("started") + ", this run",
                verdicts.first().map(ClaimPage::cell).orElse("-: new"),
                cell(finding)));
        text.append("## Each run\n\n")
                .append(new MarkdownTable<List<String>>()
                        .text("run", run -> run.get(0))
                        .text("version 1, fixed before the data", run -> VerdictTable.cell(run.get(1)))
                        .text("version 2", run -> VerdictTable.cell(run.get(2)))
                        .of(runs))
                .append("\nVerdicts: ")
                .append(verdicts.runs())
                .append(".\n\n");
    }

    private static String cell(Finding finding) {
        return finding.verdict().label() + ": " + finding.reason();
    }

    /** Draws the ratios with their intervals, below each the source's figure if it gives one, and the curves. */
    private void draw() {
        List<DotChart.Row> rows = new ArrayList<>();
        Set<String> arms = new LinkedHashSet<>();
        for (Outcome outcome : finding.outcomes()) {
            ClaimCheck test = outcome.test();
            Interval found = outcome.found();
            if (RATIOS.contains(test.kind()) && Double.isFinite(found.mid()) && found.mid() > 0) {
                double low = Double.isFinite(found.low()) ? found.low() : found.mid();
                double high = Double.isFinite(found.high()) ? found.high() : found.mid();
                String label = "threads " + test.condition().threads() + ": " + test.arm();
                rows.add(row(label, SeriesStyle.of("memshard"), low, found.mid(), high));
                if (Double.isFinite(test.value())) {
                    rows.add(row("the source", CLAIMED, test.value(), test.value(), test.value()));
                }
            }
            if (test.kind() != Kind.COUNTED && test.metric().equals(Metric.THROUGHPUT)) {
                arms.addAll(List.of(test.arm(), test.other()));
                arms.addAll(test.times().keySet());
            }
        }
        if (!rows.isEmpty()) {
            DotChart.Frame frame = new DotChart.Frame(claim.title(), "ratio", 1, "ratio", Numbers::ratio);
            drawings.put(
                    claim.name() + "-ratios.svg", DotChart.draw(frame, rows).toString());
        }
        arms.remove("");
        curves(arms);
    }

    private static DotChart.Row row(String label, SeriesStyle style, double low, double mid, double high) {
        return new DotChart.Row(label, style, low, List.of(mid), high, Numbers.ratio(mid));
    }

    /** Draws throughput over threads, if the arms of the claim ran with more than one number of them. */
    private void curves(Set<String> arms) {
        Condition parameters = claim.primary().condition();
        TreeSet<Integer> threads = new TreeSet<>();
        arms.forEach(arm -> threads.addAll(forks.threads(arm, parameters)));
        if (threads.size() < 2) {
            return;
        }
        List<LineChart.Series> series = arms.stream()
                .map(arm -> new LineChart.Series(
                        arm,
                        SeriesStyle.of(arm),
                        threads.stream()
                                .map(number -> Sample.quartiles(
                                        forks.values(arm, parameters.withThreads(number), Metric.THROUGHPUT)))
                                .toList()))
                .toList();
        List<String> categories = threads.stream().map(String::valueOf).toList();
        drawings.put(
                claim.name() + "-threads.svg",
                LineChart.draw(claim.title(), "cycles a second", categories, "threads", series)
                        .toString());
    }

    /** Adds every arm that ran under the condition of the primary contrast, compared with its second arm. */
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
