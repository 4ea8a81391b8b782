// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.report.RingReport;
import io.memshard.bench.ring.RingOptions;
import io.memshard.bench.ring.RingRun;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bench/run ring}: what the rings are like. */
@Command(
        name = "ring",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Shows of every ring how it spreads keys, which of them a change moves, and what a look-up and a"
                + " locator cost. Needs no memcached.")
final class RingCommand implements Callable<Integer> {

    @Mixin
    private RingOptions options = new RingOptions();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        RingRun run = new RingRun(options);
        Path folder = BenchTerminal.resultsFolder(options.out());
        run.run(folder, Main.typed(spec), Main.out(spec));
        RingReport.run(folder, Main.out(spec));
        return 0;
    }
}
