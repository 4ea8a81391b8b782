// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.ComparisonPart;
import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.command.BenchException;
import io.memshard.bench.command.BenchTerminal;
import io.memshard.bench.jmh.LockRun;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.page.ClientRun;
import io.memshard.bench.lab.run.Blocks;
import io.memshard.bench.locks.LockPlan;
import io.memshard.bench.locks.LockReport;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.table.ComparisonTables;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
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
        run(options, options.isQuick(), folder(options.out()), typed(), out());
        return 0;
    }

    /** Runs the blocks, the lock profiles and the report into {@code folder}. */
    static void run(ClientOptions options, boolean isQuick, Path folder, String command, PrintWriter out) {
        new Blocks(options.toPlan(isQuick), folder, LabCommand.VARIANTS, ArmBenchmark.class, out).run(command, "none");
        ComparisonResult result = ClientRun.read(folder).orElseThrow();
        out.println();
        out.print(ComparisonTables.details(result));
        out.print(ComparisonTables.environment(result));
        out.println("- raw data: " + folder.resolve(ForkFile.NAME));
        ComparisonPart.report(folder, result, locks(options, isQuick, result, folder, out), out);
        out.flush();
    }

    /** Returns the lock profiles that explain {@code result}; null if there are none, or if a contender fails. */
    private static @Nullable LockReport locks(
            ClientOptions options, boolean isQuick, ComparisonResult result, Path folder, PrintWriter out) {
        LockPlan locks = LockPlan.explaining(result, isQuick);
        if (locks.profiles() == 0) {
            return null;
        }
        try (BenchServer server = BenchServer.find(options.server())) {
            return new LockRun(locks)
                    .run(server, folder, result.environment().command(), out, BenchTerminal.isTerminal());
        } catch (BenchException e) {
            out.println("no lock profiles: " + e.getMessage());
            return null;
        }
    }
}
