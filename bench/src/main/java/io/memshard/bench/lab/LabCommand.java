// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.experiment.Variants;
import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.Judge.Finding;
import io.memshard.bench.lab.page.LabReport;
import io.memshard.bench.lab.run.Blocks;
import io.memshard.bench.lab.run.LabPlan;
import io.memshard.bench.result.BenchException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "lab",
        subcommands = LabCommand.Report.class,
        description = "Tests the claims of articles about pools and clients. Each arm runs in its own JVMs.")
final class LabCommand extends BenchCommand {

    @Parameters(arity = "0..*", paramLabel = "EXPERIMENT", description = "Experiments to run (default: all).")
    private List<String> names = List.of();

    @Mixin
    private RunOptions options = new RunOptions();

    @Option(names = "--full", description = "Run enough forks for a verdict, and print the duration first.")
    private boolean full;

    @Option(names = "--plan", description = "Print the planned runs and their duration, and run nothing.")
    private boolean plansOnly;

    @Override
    public Integer call() {
        LabPlan plan = plan();
        if (plansOnly) {
            out().print(plan.text());
            out().flush();
            return 0;
        }
        Path folder = options.folder();
        blocks(plan, folder, out()).run(typed(), Claims.load().hash());
        Report.report(folder, folder.resolve("pages"), out());
        return 0;
    }

    static Blocks blocks(LabPlan plan, Path folder, PrintWriter out) {
        Variants variants = Variants.configured(Path.of("bench", "target", "variants"));
        return new Blocks(plan, folder, variants, ArmBenchmark.class, out);
    }

    private LabPlan plan() {
        if (options.isQuick == full) {
            throw new BenchException("set either --quick or --full; add --plan to print only the duration");
        }
        int blocks = options.blocks(0);
        if (options.isQuick && blocks != 0) {
            throw new BenchException("--blocks requires --full, because a quick run has one block");
        }
        if (blocks != 0 && blocks < LabPlan.LEAST_BLOCKS) {
            throw new BenchException("--blocks must be at least " + LabPlan.LEAST_BLOCKS + ", not " + blocks);
        }
        List<Experiment> experiments = names.isEmpty()
                ? Experiments.ALL
                : names.stream().map(Experiments::named).toList();
        return new LabPlan(
                experiments,
                full ? Size.FULL : Size.QUICK,
                options.profiles(),
                options.server,
                options.seed,
                options.mayBeBusy,
                blocks);
    }

    @Command(
            name = "report",
            description = {
                "Judges the data of a folder by the claims, and writes pages with the verdicts and every figure.",
                "Reads the recordings of lock profiles again, if they are in the folder."
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
