// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.command.BenchTerminal;
import io.memshard.bench.locks.LockOptions;
import io.memshard.bench.locks.LockRun;
import io.memshard.bench.report.ReportRun;
import io.memshard.bench.server.BenchServer;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench/run locks}: the lock profiles alone. */
@Command(name = "locks", description = "Records what the threads of each contender wait for; not timed.")
final class LocksCommand extends BenchCommand {

    @Mixin
    private LockOptions options = new LockOptions();

    @Override
    public Integer call() {
        LockRun run = new LockRun(options.toPlan());
        Path folder = folder(options.out());
        try (BenchServer server = BenchServer.find(options.server())) {
            run.run(server, folder, typed(), out(), BenchTerminal.isTerminal());
            ReportRun.run(folder, out());
        }
        return 0;
    }
}
