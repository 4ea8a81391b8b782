// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.Claims.Claim;
import io.memshard.bench.lab.judge.Judge;
import io.memshard.bench.lab.judge.Judge.Finding;
import io.memshard.bench.result.TextFile;
import io.memshard.bench.table.MarkdownTable;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The pages of a run: {@code index.md} with all verdicts, for each claim a page with its drawings, and for each
 * experiment a page with every figure. Threading: immutable. Failure: {@link UncheckedIOException} naming the file.
 */
public final class LabReport {

    /** Name of the page with all verdicts. */
    public static final String INDEX = "index.md";

    private final Claims claims;
    private final LabData data;
    private final List<Finding> findings;

    private LabReport(Claims claims, LabData data) {
        this.claims = claims;
        this.data = data;
        Judge judge = new Judge(data.facts(), data.forks());
        Set<String> ran = Set.of(data.facts().get("experiments").split(" ", -1));
        this.findings = claims.all().stream()
                .filter(claim -> ran.contains(claim.experiment()) || ran.contains(""))
                .map(judge::judge)
                .toList();
    }

    /** Returns the report on the run in {@code folder}. */
    public static LabReport of(Path folder, Claims claims) {
        return new LabReport(claims, LabData.read(folder));
    }

    /** Returns the verdicts on claims of the experiments that were run, in the order of the claims. */
    public List<Finding> findings() {
        return findings;
    }

    /** Returns every page and drawing by the name of its file. */
    public Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put(INDEX, "# Verdicts\n\n" + index(""));
        for (Finding finding : findings) {
            ClaimPage page = new ClaimPage(finding, data, claims.hash());
            files.put(pageOf(finding.claim()), page.text());
            files.putAll(page.drawings());
        }
        ExperimentPage.all(data).forEach(page -> files.put(page.file(), page.text()));
        return files;
    }

    /** Returns all verdicts in a table, with the facts of the run; {@code pages} ends with a slash, or is empty. */
    public String index(String pages) {
        String experiments = ExperimentPage.all(data).stream()
                .map(page -> "[" + page.title() + "](" + pages + page.file() + ")")
                .collect(Collectors.joining(", "));
        return VerdictTable.of(findings, claim -> pages + pageOf(claim)) + "\n"
                + (experiments.isEmpty() ? "" : "Every figure: " + experiments + ".\n\n")
                + data.lines(claims.hash());
    }

    private static String pageOf(Claim claim) {
        return claim.name() + ".md";
    }

    /** Writes all files into {@code folder}, which is created if it does not exist. */
    public void write(Path folder) {
        files().forEach((name, content) -> TextFile.write(folder.resolve(name), content));
    }

    /** Claims and verdicts as Markdown tables. Threading: stateless. */
    public static final class VerdictTable {

        private VerdictTable() {}

        /** Returns a row for each verdict, or a sentence if there is none. */
        static String of(List<Finding> findings, Function<Claim, String> page) {
            if (findings.isEmpty()) {
                return "No claim is about this run.\n";
            }
            return new MarkdownTable<Finding>()
                    .text("claim", finding -> "[" + finding.claim().title() + "](" + page.apply(finding.claim()) + ")")
                    .text("experiment", finding -> finding.claim().experiment())
                    .text("verdict", finding -> "**" + finding.verdict().label() + "**")
                    .text("why", finding -> cell(finding.reason()))
                    .of(findings);
        }

        /**
         * Returns the claims as they stand before any data: the statement, the deciding test, and what would change a
         * verdict.
         */
        public static String claims(Claims claims) {
            return "Hash of the claims: `" + claims.hash() + "`\n\n"
                    + new MarkdownTable<Claim>("---:")
                            .text("experiment", Claim::experiment)
                            .text("claim", claim -> cell(claim.sentence()))
                            .text("figures of the source", claim -> cell(claim.figures()))
                            .text("what decides", claim -> "`" + claim.primary().text() + "`")
                            .text(
                                    "also asked",
                                    claim -> claim.shapes().stream()
                                            .map(shape -> "`" + shape.text() + "`")
                                            .collect(Collectors.joining("; ")))
                            .number(
                                    "margin",
                                    "%.0f %%",
                                    claim -> 100 * claim.margin().fraction())
                            .of(claims.all());
        }

        /** Returns {@code text} so that it does not break a table. */
        static String cell(String text) {
            return text.replace("|", "\\|").replaceAll("\\s+", " ");
        }
    }
}
