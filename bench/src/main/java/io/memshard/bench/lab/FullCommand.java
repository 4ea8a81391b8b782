// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.page.Comparison;
import io.memshard.bench.lab.page.ComparisonCharts;
import io.memshard.bench.lab.page.HtmlReport;
import io.memshard.bench.lab.page.HtmlReport.Section;
import io.memshard.bench.lab.page.LabData;
import io.memshard.bench.lab.page.LabReport;
import io.memshard.bench.lab.venus.Clients;
import io.memshard.bench.locks.LockReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench/run full}: compares the clients, profiles their locks, and writes the report. */
@Command(
        name = "full",
        description = "Compares ways to call memcached: blocks of JVMs, each with one contender, and the lock profiles"
                + " that explain the ratios. A folder that is there goes on.")
final class FullCommand extends BenchCommand {

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Override
    public Integer call() {
        run(options, options.isQuick(), typed(), out());
        return 0;
    }

    /** Runs the blocks and the lock profiles, and writes the report. */
    static void run(ClientOptions options, boolean isQuick, String command, PrintWriter out) {
        Path folder = options.folder();
        LabCommand.blocks(options.toPlan(isQuick), folder, out).run(command, "none");
        LabData data = LabData.read(folder);
        String figures = LabReport.figures(data, Clients.NAME, data.profile());
        Comparison comparison = Comparison.read(folder);
        out.println();
        out.print(figures + data.lines());
        out.println("- raw data: " + folder.resolve(ForkFile.NAME));
        report(
                folder,
                List.of(
                        new Section(
                                "Throughput",
                                comparison.forks() == 0
                                        ? List.of()
                                        : List.of(ComparisonCharts.panels(List.of(comparison), Map.of())),
                                ""),
                        new Section("All figures", List.of(), figures),
                        new Section("Environment", List.of(), data.lines())),
                locks(folder, command),
                out);
    }

    private static void report(Path folder, List<Section> sections, LockReport locks, PrintWriter out) {
        List<Section> all = new ArrayList<>(sections);
        if (!locks.profiles().isEmpty()) {
            all.add(new Section("Lock profiles", List.of(), locks.table()));
        }
        out.println("- report: " + HtmlReport.write(folder, "Memshard benchmark report", all));
        out.flush();
    }

    private static LockReport locks(Path folder, String command) {
        List<Path> recordings = ForkFile.read(folder.resolve(ForkFile.NAME)).stream()
                .filter(fork -> fork.key().profiled() && fork.isThere())
                .map(fork -> WaitRow.recording(folder, fork.key()))
                .toList();
        return LockReport.write(recordings, folder, command);
    }

    /** {@code bench/run locks}: profiles the locks of clients, and writes the report. */
    @Command(name = "locks", description = "Records what the threads of each contender wait for; not timed.")
    static final class Locks extends BenchCommand {

        @Mixin
        private ClientOptions options = new ClientOptions();

        @Override
        public Integer call() {
            Path folder = options.folder();
            LabCommand.blocks(options.toProfiles(), folder, out()).run(typed(), "none");
            LockReport report = locks(folder, typed());
            out().println();
            out().print(report.table());
            out().println("- recordings, each with its table: " + folder);
            report(folder, List.of(), report, out());
            return 0;
        }
    }
}
