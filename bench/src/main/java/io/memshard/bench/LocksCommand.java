// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.locks.LockOptions;
import io.memshard.bench.locks.LockRun;
import io.memshard.bench.report.ReportRun;
import io.memshard.bench.server.BenchServer;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bench/run locks}: the lock profiles alone. */
@Command(
        name = "locks",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Records what the threads of each contender wait for; not timed.")
final class LocksCommand implements Callable<Integer> {

    @Mixin
    private LockOptions options = new LockOptions();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        LockRun run = new LockRun(options.toPlan());
        Path folder = BenchTerminal.resultsFolder(options.out());
        try (BenchServer server = BenchServer.find(options.server())) {
            run.run(server, folder, Main.typed(spec), Main.out(spec), BenchTerminal.isTerminal());
            ReportRun.run(folder, Main.out(spec));
        }
        return 0;
    }
}
