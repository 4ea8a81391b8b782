// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.chart.Frame;
import io.memshard.bench.chart.LineChart;
import io.memshard.bench.chart.Numbers;
import io.memshard.bench.chart.Picture;
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
import io.memshard.bench.statistics.Sample;
import io.memshard.bench.table.MarkdownTable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Page of one claim: the statement of the source, the result, its cause, and what would change the verdict.
 *
 * <p>Threading: confined to one thread.
 */
final class ClaimPage {

    private final Verdicts verdicts;
    private final Finding finding;
    private final Claim claim;
    private final LabData data;
    private final Forks forks;
    private final Claims claims;
    private final Optional<Picture> drawing;

    ClaimPage(Verdicts verdicts, LabData data, Claims claims) {
        this.verdicts = verdicts;
        this.finding = verdicts.finding();
        this.claim = finding.claim();
        this.data = data;
        this.forks = new Forks(data.forks(), claim.experiment(), claim.profile());
        this.claims = claims;
        this.drawing = drawn();
    }

    /**
     * Returns a chart of throughput over threads, if the arms of the claim ran with more than one number of threads.
     */
    Optional<Picture> drawing() {
        return drawing;
    }

    /** Returns the name of the file of the drawing. */
    String drawingFile() {
        return claim.name() + "-threads.svg";
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
        drawing.ifPresent(picture -> text.append("![")
                .append(picture.finding())
                .append("](")
                .append(drawingFile())
                .append(")\n\n"));
        arms(text);
        text.append(WaitTable.of(data, claim));
        text.append("## What would change it\n\n").append(claim.change()).append("\n\n## The run\n\n");
        return text.append(data.lines(claims)).toString();
    }

    /** Adds the changes made to the claim after the data, and the verdicts by both versions on all runs. */
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

    private Optional<Picture> drawn() {
        Set<String> arms = new LinkedHashSet<>();
        for (Outcome outcome : finding.outcomes()) {
            ClaimCheck test = outcome.test();
            if (test.kind() != Kind.COUNTED && test.metric().equals(Metric.THROUGHPUT)) {
                arms.addAll(List.of(test.arm(), test.other()));
                arms.addAll(test.times().keySet());
            }
        }
        arms.remove("");
        Condition parameters = claim.primary().condition();
        TreeSet<Integer> threads = new TreeSet<>();
        arms.forEach(arm -> threads.addAll(forks.threads(arm, parameters)));
        if (threads.size() < 2) {
            return Optional.empty();
        }
        List<LineChart.Series> series = new ArrayList<>();
        SeriesStyle.of(arms)
                .forEach((arm, style) -> series.add(new LineChart.Series(
                        arm,
                        style,
                        threads.stream()
                                .map(number -> Sample.quartiles(
                                        forks.values(arm, parameters.withThreads(number), Metric.THROUGHPUT)))
                                .toList())));
        int last = threads.last();
        String curves = arms.stream()
                .map(arm ->
                        arm + " " + Numbers.compact(forks.median(arm, parameters.withThreads(last), Metric.THROUGHPUT)))
                .collect(Collectors.joining(", ", "Cycles a second with " + last + " threads: ", "."));
        Frame frame = new Frame(claim.title(), curves, "threads", "cycles a second; bars: quartiles");
        return Optional.of(
                LineChart.draw(frame, threads.stream().map(String::valueOf).toList(), series));
    }

    /**
     * Adds a table of every arm that ran under the condition of the primary contrast, compared with the second arm of
     * the contrast.
     */
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
