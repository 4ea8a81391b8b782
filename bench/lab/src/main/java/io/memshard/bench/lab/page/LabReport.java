// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.Claims.Claim;
import io.memshard.bench.lab.judge.Judge;
import io.memshard.bench.lab.judge.Judge.Finding;
import io.memshard.bench.result.CsvRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    /** Returns all arms of {@code experiment} next to its baseline, for a run without claims. */
    public static String arms(Path folder, Experiment experiment) {
        return ContestTable.of(LabData.read(folder), experiment);
    }

    /**
     * Returns the ratios of the run in {@code folder} beside those of JMH.
     *
     * @param jmh rows of the file that {@code bench/run lab jmh} wrote
     * @throws IllegalArgumentException if no arm is in both
     * @throws UncheckedIOException if a column is missing
     */
    public static String crossCheck(Path folder, List<CsvRow> jmh) {
        return CrossCheckTable.of(LabData.read(folder), jmh);
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

    /**
     * Returns all verdicts in a table, with the facts of the run.
     *
     * @param pages where the pages of the claims are, ending with a slash, or empty
     */
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
        files().forEach((name, content) -> {
            Path file = folder.resolve(name);
            try {
                Files.createDirectories(folder);
                Files.writeString(file, content);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
            }
        });
    }
}
