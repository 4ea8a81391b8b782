// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.ComparisonPart;
import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.page.ClientRun;
import io.memshard.bench.locks.LockReport;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.table.ComparisonTables;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
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
        ComparisonResult result = ClientRun.read(folder).orElseThrow();
        out.println();
        out.print(ComparisonTables.details(result));
        out.print(ComparisonTables.environment(result));
        out.println("- raw data: " + folder.resolve(ForkFile.NAME));
        ComparisonPart.report(folder, result, locks(folder, command), out);
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
            ComparisonPart.report(folder, null, report, out());
            out().flush();
            return 0;
        }
    }
}
