// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.run.Isolation;
import io.memshard.bench.lab.run.LabPlan;
import io.memshard.bench.lab.run.LabRun;
import io.memshard.bench.lab.variant.VariantFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench/run lab}: the experiments on what articles claim. */
@Command(
        name = "lab",
        subcommands = {LabReportCommand.class, LabCalibrateCommand.class, LabJmhCommand.class},
        description = "Tests what articles claim of pools and clients, each arm in JVMs of its own.")
final class LabCommand extends BenchCommand {

    private static final double SECONDS_AN_HOUR = 3600;

    @Parameters(arity = "0..*", paramLabel = "EXPERIMENT", description = "Which experiments (default: all).")
    private List<String> names = List.of();

    @Option(names = "--quick", description = "One block of short forks, to see that everything works; no verdict.")
    private boolean quick;

    @Option(names = "--full", description = "Enough forks for a verdict; says first how long that takes.")
    private boolean full;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description = "Blocks of a full run, 5 at least (default: as many as each experiment's plan has).")
    private int blocks;

    @Option(
            names = "--hours",
            paramLabel = "H",
            description = "As many blocks as fit into this time, such as 8 or 0.5 (default: those of the plans).")
    private double hours;

    @Option(
            names = "--cpus",
            paramLabel = "1,2,..",
            split = ",",
            description = "A sweep: what claims need runs on these numbers of processors too.")
    private List<Integer> cpus = List.of();

    @Option(
            names = "--isolation",
            description = "container, affinity or none (default: containers where a Docker engine answers, else"
                    + " processor affinity).")
    private String isolation = "";

    @Option(names = "--plan", description = "Say what would run and how long it takes, and run nothing.")
    private boolean plansOnly;

    @Option(names = "--profile", description = "cloud, physical or both (default: ${DEFAULT-VALUE}).")
    private String profile = "cloud";

    @Option(
            names = "--server",
            paramLabel = "host:port",
            description = "A memcached that runs (default: a new one for each fork).")
    private String server = "";

    @Option(names = "--seed", description = "Of the orders (default: the time).")
    private long seed = System.currentTimeMillis();

    @Option(names = "--anyway", description = "Measure on a busy machine too; then there is no verdict.")
    private boolean anyway;

    @Option(names = "--out", paramLabel = "DIR", description = "Folder of the results; one that is there goes on.")
    private @Nullable Path out;

    @Override
    public Integer call() {
        LabPlan plan = plan();
        if (plansOnly) {
            out().print(plan.text());
            out().flush();
            return 0;
        }
        Path folder = folder(out);
        LabRun run = new LabRun(
                plan,
                folder,
                VariantFolder.configured(Path.of("bench", "lab", "target", "variants")),
                ForkMain.class.getName(),
                out());
        run.run(typed(), LabReportCommand.claims().hash());
        LabReportCommand.report(folder, out());
        return 0;
    }

    private LabPlan plan() {
        checkOptions();
        List<Profile> profiles = switch (profile) {
            case "cloud" -> List.of(Profile.CLOUD);
            case "physical" -> List.of(Profile.PHYSICAL);
            case "both" -> List.of(Profile.CLOUD, Profile.PHYSICAL);
            default -> throw new BenchException("--profile is cloud, physical or both, not " + profile);
        };
        List<Experiment> experiments = names.isEmpty()
                ? Experiments.all()
                : names.stream().map(LabCommand::experiment).toList();
        LabPlan plan = new LabPlan(
                experiments,
                quick ? Size.QUICK : Size.FULL,
                profiles,
                server,
                seed,
                anyway,
                isolation.isEmpty() ? Isolation.find() : Isolation.named(isolation),
                blocks,
                cpus);
        return hours == 0 ? plan : plan.within(Duration.ofSeconds(Math.round(hours * SECONDS_AN_HOUR)));
    }

    private void checkOptions() {
        if (quick == full) {
            throw new BenchException(
                    "say --quick or --full; with --plan too it says how long that takes and runs nothing");
        }
        if (quick && (blocks != 0 || hours != 0)) {
            throw new BenchException("--blocks and --hours are for --full: a quick run has one block");
        }
        if (blocks != 0 && hours != 0) {
            throw new BenchException("--blocks and --hours say the same in two ways: give one");
        }
        if (blocks != 0 && blocks < LabPlan.LEAST_BLOCKS) {
            throw new BenchException("--blocks must be at least " + LabPlan.LEAST_BLOCKS + ", not " + blocks);
        }
        if (hours < 0 || cpus.stream().anyMatch(number -> number < 1)) {
            throw new BenchException("--hours and --cpus are above 0");
        }
    }

    static Experiment experiment(String name) {
        try {
            return Experiments.named(name);
        } catch (IllegalArgumentException e) {
            throw new BenchException(String.valueOf(e.getMessage()));
        }
    }
}
