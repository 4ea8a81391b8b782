// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.report.ScaleReport;
import io.memshard.bench.scale.ScaleOptions;
import io.memshard.bench.scale.ScaleRun;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bench/run scale}: what many servers cost a client. */
@Command(
        name = "scale",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Shows what many servers cost a client: sockets, threads, memory, and a get beside that of one"
                + " server. Starts a memcached of its own, which must be on the PATH. Takes about four minutes.")
final class ScaleCommand implements Callable<Integer> {

    @Mixin
    private ScaleOptions options = new ScaleOptions();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        ScaleRun run = new ScaleRun(options);
        Path folder = BenchTerminal.resultsFolder(options.out());
        run.run(folder, Main.typed(spec), Main.out(spec));
        ScaleReport.run(folder, Main.out(spec));
        return 0;
    }
}
