// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.jmh.LabCrossCheck;
import io.memshard.bench.lab.variant.VariantFolder;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench/run lab jmh EXPERIMENT}: the arms of the lab under JMH. */
@Command(
        name = "jmh",
        description = "Runs arms of an experiment without a server under JMH: a check of the lab's figures by another"
                + " harness.")
final class LabJmhCommand extends BenchCommand {

    @Parameters(paramLabel = "EXPERIMENT", description = "Such as pool-cycle, queues or sync-pool.")
    private String name = "";

    @Option(
            names = "--arms",
            split = ",",
            description = "Which, the one to compare with first (default: all that run under the condition).")
    private List<String> arms = List.of();

    @Option(
            names = "--condition",
            description =
                    "As the lab writes it, such as threads=100,max=20,hold=none (default: the first of the plan).")
    private String condition = "";

    @Option(names = "--forks", description = "JVMs for each arm (default: ${DEFAULT-VALUE}).")
    private int forks = 5;

    @Option(names = "--out", paramLabel = "DIR", description = "Folder of the results.")
    private @Nullable Path out;

    @Override
    public Integer call() {
        if (forks < 1) {
            throw new BenchException("--forks must be at least 1, not " + forks);
        }
        Experiment experiment = LabCommand.experiment(name);
        Condition under = condition(experiment);
        List<Arm> chosen = arms(experiment, under);
        LabCrossCheck check = new LabCrossCheck(
                experiment,
                under,
                forks,
                VariantFolder.configured(Path.of("bench", "lab", "target", "variants")),
                out());
        out().printf("%d arms, %d JVMs each, about %d s%n", chosen.size(), forks, check.seconds(chosen));
        check.run(chosen, folder(out), typed());
        return 0;
    }

    private Condition condition(Experiment experiment) {
        if (condition.isEmpty()) {
            return experiment.plan(Size.FULL, Profile.CLOUD).cells().get(0).condition();
        }
        try {
            return Condition.parse(condition);
        } catch (IllegalArgumentException e) {
            throw new BenchException("--condition: " + e.getMessage());
        }
    }

    private List<Arm> arms(Experiment experiment, Condition under) {
        if (!arms.isEmpty()) {
            return arms.stream().map(arm -> arm(experiment, arm)).toList();
        }
        return experiment.plan(Size.FULL, Profile.CLOUD).cells().stream()
                .filter(cell -> cell.condition().equals(under))
                .map(cell -> arm(experiment, cell.arm()))
                .toList();
    }

    private static Arm arm(Experiment experiment, String name) {
        try {
            return experiment.arm(name);
        } catch (IllegalArgumentException e) {
            throw new BenchException(String.valueOf(e.getMessage()));
        }
    }
}
