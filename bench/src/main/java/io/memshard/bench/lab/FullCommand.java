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
import io.memshard.bench.lab.run.LabPlan;
import io.memshard.bench.result.Picture;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "full",
        description = "Compares ways to call memcached: blocks of JVMs, each with one contender, and the lock profiles"
                + " that explain the ratios. Continues an interrupted run in the folder.")
final class FullCommand extends BenchCommand {

    @Mixin
    ClientOptions options = new ClientOptions();

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
}
