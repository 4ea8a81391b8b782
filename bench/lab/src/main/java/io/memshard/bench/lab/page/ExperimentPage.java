// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.page.LabReport.VerdictTable;
import io.memshard.bench.machine.Profile;
import java.util.Comparator;
import java.util.List;

/** Page with every figure of one experiment and profile: a table for each condition. Threading: immutable. */
record ExperimentPage(LabData data, String experiment, Profile profile) {

    private record Subject(String experiment, Profile profile) {}

    /** Returns a page for each experiment and profile of which there is data. */
    static List<ExperimentPage> all(LabData data) {
        return data.forks().stream()
                .map(fork -> new Subject(fork.key().experiment(), fork.key().profile()))
                .distinct()
                .map(subject -> new ExperimentPage(data, subject.experiment, subject.profile))
                .toList();
    }

    /** Returns the name of the page of an experiment. */
    static String file(String experiment, Profile profile) {
        return "all-" + experiment + "-" + profile.label() + ".md";
    }

    String file() {
        return file(experiment, profile);
    }

    String title() {
        return experiment + ", profile " + profile.label();
    }

    String text() {
        StringBuilder text = new StringBuilder("# " + title() + "\n\n");
        text.append("Figures are medians over forks, ratios medians over blocks with 95 % intervals in brackets. A cell"
                + " that ran in a few blocks has their range, in one block nothing, and decides nothing.\n\n");
        Forks forks = new Forks(data.forks(), experiment, profile);
        ArmTable table = new ArmTable(forks);
        conditions(forks).forEach(condition -> text.append(table.of(condition, baseline(forks, condition))));
        return text.append(failures()).toString();
    }

    private static List<Condition> conditions(Forks forks) {
        return forks.all().stream()
                .map(fork -> fork.key().condition())
                .distinct()
                .sorted(Comparator.comparing(Condition::parametersLabel).thenComparingInt(Condition::threads))
                .toList();
    }

    /**
     * Returns the arm with an A/A run under {@code condition}, else with one under another condition, else the first by
     * name.
     */
    private static String baseline(Forks forks, Condition condition) {
        List<ForkKey> keys = forks.all().stream()
                .map(ForkResult::key)
                .filter(key -> key.condition().equals(condition))
                .toList();
        return keys.stream()
                .filter(key -> !key.arm().equals(key.openedArm()))
                .findFirst()
                .map(ForkKey::openedArm)
                .orElseGet(() -> baselineOfAll(forks, keys));
    }

    private static String baselineOfAll(Forks forks, List<ForkKey> keys) {
        List<String> arms = keys.stream().map(ForkKey::openedArm).sorted().toList();
        return forks.all().stream()
                .map(ForkResult::key)
                .filter(key -> !key.arm().equals(key.openedArm()))
                .map(ForkKey::openedArm)
                .filter(arms::contains)
                .findFirst()
                .orElse(arms.get(0));
    }

    private String failures() {
        List<String> lines = data.forks().stream()
                .filter(fork -> !fork.isThere()
                        && fork.key().experiment().equals(experiment)
                        && fork.key().profile() == profile)
                .map(fork -> "- " + fork.key().openedArm() + ": " + VerdictTable.cell(fork.failure()))
                .distinct()
                .toList();
        return lines.isEmpty() ? "" : "## What did not run\n\n" + String.join("\n", lines) + "\n";
    }
}
