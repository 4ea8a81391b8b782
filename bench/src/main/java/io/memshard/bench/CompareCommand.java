// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.compare.CompareOptions;
import io.memshard.bench.compare.CompareRun;
import io.memshard.bench.report.ReportRun;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bench/run compare}: the comparison alone. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Compares contenders in interleaved slices and prints ratios.")
final class CompareCommand implements Callable<Integer> {

    @Mixin
    private CompareOptions options = new CompareOptions();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        CompareRun run = new CompareRun(options);
        Path folder = BenchTerminal.resultsFolder(options.out());
        run.run(folder, Main.typed(spec), Main.out(spec), BenchTerminal.isTerminal());
        ReportRun.run(folder, Main.out(spec));
        return 0;
    }
}
