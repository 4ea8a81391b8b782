// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.Judge.Finding;
import io.memshard.bench.lab.page.LabReport;
import io.memshard.bench.lab.run.Blocks;
import io.memshard.bench.lab.run.LabPlan;
import io.memshard.bench.lab.variant.VariantFolder;
import io.memshard.bench.machine.Profile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench/run lab}: runs the experiments that test claims of articles. */
@Command(
        name = "lab",
        subcommands = LabCommand.Report.class,
        description = "Tests what articles claim of pools and clients, each arm in JVMs of its own.")
final class LabCommand extends BenchCommand {

    static final VariantFolder VARIANTS = VariantFolder.configured(Path.of("bench", "lab", "target", "variants"));

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
        Blocks run = new Blocks(plan, folder, VARIANTS, ArmBenchmark.class, out());
        run.run(typed(), Claims.load().hash());
        Report.report(folder, folder.resolve("pages"), out());
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
                : names.stream().map(LabCommand::named).toList();
        return new LabPlan(experiments, quick ? Size.QUICK : Size.FULL, profiles, server, seed, anyway, blocks);
    }

    private void checkOptions() {
        if (quick == full) {
            throw new BenchException(
                    "say --quick or --full; with --plan too it says how long that takes and runs nothing");
        }
        if (quick && blocks != 0) {
            throw new BenchException("--blocks is for --full: a quick run has one block");
        }
        if (blocks != 0 && blocks < LabPlan.LEAST_BLOCKS) {
            throw new BenchException("--blocks must be at least " + LabPlan.LEAST_BLOCKS + ", not " + blocks);
        }
    }

    private static Experiment named(String name) {
        try {
            return Experiments.named(name);
        } catch (IllegalArgumentException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
    }

    /** {@code bench/run lab report DIR}: judges the data of a folder and writes its pages. */
    @Command(
            name = "report",
            description = {
                "Judges the data of a folder by the claims, and writes pages with the verdicts and every figure.",
                "Reads the recordings of lock profiles again, where they are in the folder."
            })
    static final class Report extends BenchCommand {

        @Parameters(paramLabel = "DIR", description = "Folder with lab.csv and forks.csv.")
        private Path folder = Path.of(".");

        @Option(
                names = "--out",
                paramLabel = "DIR",
                description = "Folder of the pages (default: pages in the folder).")
        private @Nullable Path out;

        @Override
        public Integer call() {
            report(folder, out == null ? folder.resolve("pages") : out, out());
            return 0;
        }

        static void report(Path folder, Path pages, PrintWriter out) {
            WaitRow.write(folder);
            LabReport report = LabReport.of(folder, Claims.load());
            report.write(pages);
            for (Finding finding : report.findings()) {
                out.println("- " + finding.claim().title() + ": "
                        + finding.verdict().label());
            }
            out.println("- pages: " + pages.resolve(LabReport.INDEX));
        }
    }
}
