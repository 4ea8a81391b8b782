// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.report.ReportRun;
import io.memshard.bench.report.RingReport;
import io.memshard.bench.report.ScaleReport;
import io.memshard.bench.result.RingFiles;
import io.memshard.bench.result.ScaleFiles;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench/run report DIR}: draws the report of a results folder again. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Draws the report and the charts of a results folder again.")
final class ReportCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "DIR",
            description = "Folder with slices.csv and environment.csv, with locks.json, or with all three; or one with"
                    + " rings.csv or scale.csv and environment.csv.")
    private Path folder = Path.of(".");

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        if (RingFiles.isIn(folder)) {
            RingReport.run(folder, Main.out(spec));
        } else if (ScaleFiles.isIn(folder)) {
            ScaleReport.run(folder, Main.out(spec));
        } else {
            ReportRun.run(folder, Main.out(spec));
        }
        return 0;
    }
}
