// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.judge.ClaimCheck;
import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.Claims.Claim;
import io.memshard.bench.lab.judge.Judge;
import io.memshard.bench.lab.judge.Judge.Finding;
import io.memshard.bench.lab.judge.Judge.Verdict;
import io.memshard.bench.result.CsvRow;
import io.memshard.bench.result.TextFile;
import io.memshard.bench.table.MarkdownTable;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Pages of a run: {@code index.md} with all verdicts, for each claim a page with its drawings, and for each experiment
 * a page with every figure. Threading: immutable. Failure: {@link UncheckedIOException} naming the file.
 */
public final class LabReport {

    /** Name of the page with all verdicts. */
    public static final String INDEX = "index.md";

    private final Claims claims;
    private final LabData data;
    private final List<Verdicts> findings;

    private LabReport(Claims claims, LabData data) {
        this.claims = claims;
        this.data = data;
        Judge judge = new Judge(data.facts(), data.forks(), data.waits());
        Set<String> ran = Set.of(data.facts().get("experiments").split(" ", -1));
        this.findings = claims.all().stream()
                .filter(claim -> ran.contains(claim.experiment()) || ran.contains(""))
                .map(claim -> new Verdicts(
                        judge.judge(claim),
                        claims.before(claim).map(judge::judge),
                        data.earlier().stream()
                                .filter(row -> row.text("claim").equals(claim.name()))
                                .toList()))
                .toList();
    }

    /** Returns the report on the run in {@code folder}. */
    public static LabReport of(Path folder, Claims claims) {
        return new LabReport(claims, LabData.read(folder));
    }

    /** Returns the verdicts on claims of the experiments that were run, in the order of the claims. */
    public List<Finding> findings() {
        return findings.stream().map(Verdicts::finding).toList();
    }

    /** Returns every page and drawing by the name of its file. */
    public Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put(INDEX, "# Verdicts\n\n" + index(""));
        for (Verdicts verdicts : findings) {
            ClaimPage page = new ClaimPage(verdicts, data, claims);
            files.put(pageOf(verdicts.finding().claim()), page.text());
            page.drawing().ifPresent(picture -> files.put(page.drawingFile(), picture.svg()));
        }
        ExperimentPage.all(data).forEach(page -> files.put(page.file(), page.text()));
        return files;
    }

    /**
     * Returns all verdicts in a table, with the facts of the run. {@code pages} is the start of each link to a page: it
     * ends with a slash, or is empty.
     */
    public String index(String pages) {
        String experiments = ExperimentPage.all(data).stream()
                .map(page -> "[" + page.title() + "](" + pages + page.file() + ")")
                .collect(Collectors.joining(", "));
        return VerdictTable.of(findings, claim -> pages + pageOf(claim)) + "\n"
                + (experiments.isEmpty() ? "" : "Every figure: " + experiments + ".\n\n")
                + data.lines(claims);
    }

    /** Returns the verdicts on several runs in one table; the keys are their folders. */
    public static String shortIndex(Map<String, LabReport> reports) {
        record Line(String folder, Finding finding) {}
        return new MarkdownTable<Line>("---:")
                .text(
                        "claim",
                        line -> "[" + line.finding().claim().title() + "](" + line.folder() + "/pages/"
                                + pageOf(line.finding().claim()) + ")")
                .text("verdict", line -> line.finding().verdict().label())
                .text("found", line -> VerdictTable.cell(found(line.finding())))
                .of(reports.entrySet().stream()
                        .flatMap(report -> report.getValue().findings().stream()
                                .map(finding -> new Line(report.getKey(), finding)))
                        .toList());
    }

    /**
     * Returns the text of the deciding outcome, without its clause on the smallest visible difference. If the claim is
     * not testable here, returns the reason.
     */
    private static String found(Finding finding) {
        String text = finding.outcomes().get(0).text().replaceFirst("; four runs.*", "");
        return finding.verdict() == Verdict.NOT_TESTABLE ? finding.reason() : text;
    }

    private static String pageOf(Claim claim) {
        return claim.name() + ".md";
    }

    /** Writes all files into {@code folder}, which is created if it does not exist. */
    public void write(Path folder) {
        files().forEach((name, content) -> TextFile.write(folder.resolve(name), content));
    }

    /**
     * Verdict on a claim, the verdict by version 1 if that version had the claim, and the rows of earlier runs, oldest
     * first. Threading: immutable.
     */
    record Verdicts(Finding finding, Optional<Finding> first, List<CsvRow> earlier) {

        Claim claim() {
            return finding.claim();
        }

        String beforeTheData() {
            return first.map(each -> each.verdict().label()).orElse("-");
        }

        /**
         * Returns a phrase on whether all runs have the same verdict, by each version. Runs without a verdict do not
         * count.
         */
        String runs() {
            String now = finding.verdict().label();
            List<String> seen = seen("verdict", now);
            List<String> before = seen("first_verdict", beforeTheData());
            return agreement(seen, isVerdict(now))
                    + (before.size() < 2 || agree(before)
                            ? ""
                            : "; by version 1 **flips**: " + String.join(", ", before));
        }

        private static String agreement(List<String> seen, boolean isLastAmongThem) {
            if (seen.isEmpty()) {
                return "-";
            }
            String count = seen.size() == 1 ? "one" : seen.size() + " agree";
            return agree(seen)
                    ? isLastAmongThem ? count : "earlier " + seen.get(0) + ", " + count
                    : "**flips**: " + String.join(", ", seen);
        }

        private List<String> seen(String column, String last) {
            return Stream.concat(earlier.stream().map(row -> row.text(column)), Stream.of(last))
                    .filter(Verdicts::isVerdict)
                    .toList();
        }

        private static boolean isVerdict(String label) {
            return !List.of("-", Verdict.NOT_TESTABLE.label(), Verdict.NONE.label())
                    .contains(label);
        }

        private static boolean agree(List<String> verdicts) {
            return verdicts.stream().distinct().count() == 1;
        }
    }

    /** Claims and verdicts as Markdown tables. Threading: stateless. */
    public static final class VerdictTable {

        private VerdictTable() {}

        /** Returns a table with a row for each verdict, or a sentence if there are no verdicts. */
        static String of(List<Verdicts> findings, Function<Claim, String> page) {
            if (findings.isEmpty()) {
                return "No claim is about this run.\n";
            }
            return new MarkdownTable<Verdicts>()
                    .text("claim", each -> "[" + each.claim().title() + "](" + page.apply(each.claim()) + ")")
                    .text("verdict", each -> "**" + each.finding().verdict().label() + "**")
                    .text("why", each -> cell(each.finding().reason()))
                    .text("by version 1", Verdicts::beforeTheData)
                    .text("runs", Verdicts::runs)
                    .of(findings);
        }

        /**
         * Returns a table of the claims without results: the statement, the tests, the margin, and the changes made
         * after the data.
         */
        public static String claims(Claims claims) {
            return "Hash of version 2, made after the data: `" + claims.hash()
                    + "`; of version 1, fixed before them: `" + claims.firstHash() + "`.\n\n"
                    + new MarkdownTable<Claim>("---:")
                            .text("experiment", Claim::experiment)
                            .text("claim", claim -> cell(claim.sentence()))
                            .text("figures of the source", claim -> cell(claim.figures()))
                            .text("what decides", claim -> tests(List.of(claim.primary())))
                            .text("also asked", claim -> tests(claim.shapes()))
                            .number(
                                    "margin",
                                    "%.0f %%",
                                    claim -> 100 * claim.margin().fraction())
                            .text("changed after the data", claim -> cell(change(claims, claim)))
                            .of(claims.all());
        }

        private static String tests(List<ClaimCheck> tests) {
            return tests.stream().map(test -> "`" + test.brief() + "`").collect(Collectors.joining("; "));
        }

        /** Returns the change that version 2 made and its reason, with the tests of version 1 if they differ. */
        static String change(Claims claims, Claim claim) {
            return claim.revision()
                    + claims.before(claim)
                            .filter(before -> !before.primary().equals(claim.primary())
                                    || !before.shapes().equals(claim.shapes()))
                            .map(before -> " Version 1: " + tests(List.of(before.primary()))
                                    + (before.shapes().isEmpty() ? "" : "; " + tests(before.shapes())) + ".")
                            .orElse("");
        }

        /** Returns {@code text} on one line and with escaped bars, so that it does not break a table. */
        static String cell(String text) {
            return text.replace("|", "\\|").replaceAll("\\s+", " ");
        }
    }
}
