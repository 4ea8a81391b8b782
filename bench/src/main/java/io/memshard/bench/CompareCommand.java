// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.command.BenchTerminal;
import io.memshard.bench.compare.CompareOptions;
import io.memshard.bench.compare.CompareRun;
import io.memshard.bench.report.ReportRun;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench/run compare}: the comparison alone. */
@Command(name = "compare", description = "Compares contenders in interleaved slices and prints ratios.")
final class CompareCommand extends BenchCommand {

    @Mixin
    private CompareOptions options = new CompareOptions();

    @Override
    public Integer call() {
        CompareRun run = new CompareRun(options);
        Path folder = folder(options.out());
        run.run(folder, typed(), out(), BenchTerminal.isTerminal());
        ReportRun.run(folder, out());
        return 0;
    }
}
