// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.contender.Clients;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.page.Comparison;
import io.memshard.bench.lab.page.ComparisonCharts;
import io.memshard.bench.lab.page.HtmlReport;
import io.memshard.bench.lab.page.HtmlReport.Section;
import io.memshard.bench.lab.page.LabData;
import io.memshard.bench.lab.page.LabReport;
import io.memshard.bench.lab.page.OpenLoopTables;
import io.memshard.bench.lab.run.LabPlan;
import io.memshard.bench.result.Picture;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "full",
        description = "Compares ways to call memcached: blocks of JVMs, each with one contender, and the lock profiles"
                + " that explain the ratios. Continues an interrupted run in the folder.")
final class FullCommand extends BenchCommand {

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Override
    public Integer call() {
        run(options.toPlan(), options.folder(), typed(), out());
        return 0;
    }

    static void run(LabPlan plan, Path folder, String command, PrintWriter out) {
        LabCommand.blocks(plan, folder, out).run(command, "none");
        WaitRow.write(folder);
        LabData data = LabData.read(folder);
        String figures = LabReport.figures(data, Clients.NAME, data.profile());
        out.println();
        out.print(figures + data.lines());
        out.println("- raw data: " + folder);
        Comparison comparison = Comparison.read(folder);
        List<Picture> pictures =
                comparison.forks() == 0 ? List.of() : List.of(ComparisonCharts.panels(List.of(comparison), Map.of()));
        Path report = HtmlReport.write(
                folder,
                "Memshard benchmark report",
                List.of(
                        new Section("Throughput", pictures, ""),
                        new Section("All figures", List.of(), figures),
                        new Section("Environment", List.of(), data.lines())));
        out.println("- report: " + report);
        out.flush();
    }

    @Command(name = "locks", description = "Records what the threads of each contender wait for; no throughput.")
    static final class Locks extends BenchCommand {

        @Mixin
        private ClientOptions options = new ClientOptions();

        @Override
        public Integer call() {
            run(options.toProfiles(), options.folder(), typed(), out());
            return 0;
        }
    }

    @Command(
            name = "latency",
            description =
                    "Measures how long a get takes at given loads (an open loop), with each client. Stores keys named"
                            + " bench:... on the server.")
    static final class Latency extends BenchCommand {

        @Mixin
        private ClientOptions options = new ClientOptions();

        @Mixin
        private LatencyLoads loads = new LatencyLoads();

        @Override
        public Integer call() {
            Path folder = options.folder();
            LabCommand.blocks(options.toLatency(loads), folder, out()).run(typed(), "none");
            out().println();
            out().print(new OpenLoopTables(LabData.read(folder)).latency());
            out().flush();
            return 0;
        }
    }

    @Command(
            name = "outage",
            description = "Measures what callers see while one of three servers is stopped (SIGSTOP) or dead (SIGKILL)."
                    + " Starts its own memcached processes. --quick: one block of a short measurement.")
    static final class Outage extends BenchCommand {

        @Mixin
        private ClientOptions options = new ClientOptions();

        @Option(
                names = "--rate",
                paramLabel = "N",
                defaultValue = "5000",
                description = "Requests a second (default: ${DEFAULT-VALUE}).")
        private int rate;

        @Option(names = "--warm-up", description = "Seconds before the measurement, at the same load (default: 10).")
        private int warmUp = 10;

        @Option(
                names = "--window",
                description = "Seconds of the measurement, with the outage in the second third (default: 30; quick 6).")
        private int window;

        @Override
        public Integer call() {
            Path folder = options.folder();
            LabCommand.blocks(options.toOutage(rate, warmUp, window), folder, out())
                    .run(typed(), "none");
            out().println();
            out().print(new OpenLoopTables(LabData.read(folder)).outage());
            out().flush();
            return 0;
        }
    }
}
