// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.judge.ClaimCheck;
import io.memshard.bench.lab.judge.ClaimCheck.Kind;
import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.Claims.Claim;
import io.memshard.bench.lab.judge.Judge;
import io.memshard.bench.lab.judge.Judge.Finding;
import io.memshard.bench.lab.judge.Judge.Outcome;
import io.memshard.bench.lab.judge.Judge.Verdict;
import io.memshard.bench.result.MarkdownTable;
import io.memshard.bench.result.TextFile;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Pages of a run: {@code index.md} with all verdicts, and a page with all figures for each experiment. */
public final class LabReport {

    public static final String INDEX = "index.md";

    static final Comparator<Condition> ORDER =
            Comparator.comparing(Condition::parametersLabel).thenComparingInt(Condition::threads);

    private final Claims claims;
    private final LabData data;
    private final List<Finding> findings;

    private LabReport(Claims claims, LabData data) {
        this.claims = claims;
        this.data = data;
        Judge judge = new Judge(data.facts(), data.forks(), data.waits());
        Set<String> ran = Set.of(data.facts().get("experiments").split(" ", -1));
        this.findings = claims.all().stream()
                .filter(claim -> ran.contains(claim.experiment()) || ran.contains(""))
                .map(judge::judge)
                .toList();
    }

    public static LabReport of(Path folder, Claims claims) {
        return new LabReport(claims, LabData.read(folder));
    }

    public List<Finding> findings() {
        return findings;
    }

    public String fact(String name) {
        return data.facts().get(name);
    }

    public void write(Path folder) {
        files().forEach((name, content) -> TextFile.write(folder.resolve(name), content));
    }

    public Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put(INDEX, index());
        for (String experiment : data.forks().stream()
                .map(fork -> fork.key().experiment())
                .distinct()
                .toList()) {
            for (Profile profile : Profile.values()) {
                if (!new Forks(data.forks(), experiment, profile).all().isEmpty()) {
                    files.put("all-" + experiment + "-" + profile.label() + ".md", page(experiment, profile));
                }
            }
        }
        return files;
    }

    private String index() {
        StringBuilder text = new StringBuilder("# Verdicts\n\n");
        text.append(findings.isEmpty() ? "No claim is about this run.\n" : table(findings))
                .append('\n');
        text.append(data.lines(claims)).append('\n');
        findings.forEach(finding -> text.append(section(finding)));
        return text.toString();
    }

    public static String table(List<Finding> findings) {
        return new MarkdownTable<Finding>()
                .text("claim", finding -> finding.claim().title())
                .text("verdict", finding -> finding.verdict().label())
                .text("found", finding -> cell(found(finding)))
                .of(findings);
    }

    private static String found(Finding finding) {
        return finding.verdict() == Verdict.NOT_TESTABLE
                ? finding.reason()
                : ratio(finding.outcomes().get(0))
                        .replaceFirst("; four runs[^;]*", "")
                        .replaceFirst("; by second halves.*", ", by second halves");
    }

    private static String ratio(Outcome outcome) {
        ClaimCheck test = outcome.test();
        boolean isRatio = EnumSet.of(Kind.ABOVE, Kind.BELOW, Kind.EQUAL).contains(test.kind());
        return isRatio ? test.arm() + " / " + test.other() + ": " + outcome.text() : outcome.text();
    }

    private String section(Finding finding) {
        Claim claim = finding.claim();
        return String.format(
                Locale.ROOT,
                """
                ## %s

                > %s

                %s: %s. Its figures: %s.

                **Verdict: %s.** %s.

                %s
                The first test decides; a difference below %.0f %% counts as none. What would change it: %s%s%s

                """,
                claim.title(),
                claim.sentence(),
                claim.source(),
                claim.address(),
                claim.figures(),
                finding.verdict().label(),
                finding.reason(),
                new MarkdownTable<Outcome>()
                        .text("test", outcome -> "`" + outcome.test().brief() + "`")
                        .text("found", outcome -> cell(outcome.text()))
                        .text("holds?", outcome -> outcome.result().name().toLowerCase(Locale.ROOT))
                        .of(finding.outcomes()),
                100 * claim.margin().fraction(),
                claim.change(),
                claim.revision().isEmpty() ? "" : "\n\nChanged after the data: " + claim.revision(),
                data.earlier(claim));
    }

    private String page(String experiment, Profile profile) {
        return "# " + experiment + ", profile " + profile.label() + "\n\n" + figures(data, experiment, profile)
                + "## The run\n\n" + data.lines(claims);
    }

    public static String figures(LabData data, String experiment, Profile profile) {
        Forks forks = new Forks(data.forks(), experiment, profile);
        StringBuilder text = new StringBuilder();
        if (!forks.all().isEmpty()) {
            text.append(
                    "Figures are medians over forks. Ratios are medians over blocks, with 95 % intervals in brackets. A"
                            + " ratio from fewer than five blocks has their range instead, or nothing for one block, and"
                            + " decides nothing.\n\n");
        }
        ArmTable table = new ArmTable(forks, !data.facts().get("busy").isEmpty());
        forks.all().stream()
                .map(fork -> fork.key().condition())
                .distinct()
                .sorted(ORDER)
                .forEach(condition -> text.append(table.of(condition, baseline(forks, condition))));
        text.append(WaitTable.of(
                data.waits().stream()
                        .filter(row -> row.key().experiment().equals(experiment)
                                && row.key().profile() == profile)
                        .toList(),
                forks));
        List<String> failures = data.forks().stream()
                .filter(fork -> !fork.isThere()
                        && fork.key().experiment().equals(experiment)
                        && fork.key().profile() == profile)
                .map(fork -> "- " + fork.key().openedArm() + ": " + cell(fork.failure()))
                .distinct()
                .toList();
        if (!failures.isEmpty()) {
            text.append("## What did not run\n\n")
                    .append(String.join("\n", failures))
                    .append("\n\n");
        }
        return text.toString();
    }

    private static String baseline(Forks forks, Condition condition) {
        List<String> arms = forks.all().stream()
                .map(ForkResult::key)
                .filter(key -> key.condition().equals(condition))
                .map(ForkKey::openedArm)
                .sorted()
                .toList();
        Comparator<ForkKey> here = Comparator.comparing(key -> !key.condition().equals(condition));
        Stream<String> twice = forks.all().stream()
                .map(ForkResult::key)
                .filter(key -> !key.arm().equals(key.openedArm()))
                .sorted(here)
                .map(ForkKey::openedArm);
        return twice.filter(arms::contains).findFirst().orElse(arms.get(0));
    }

    static String cell(String text) {
        return text.replace("|", "\\|").replaceAll("\\s+", " ");
    }
}
