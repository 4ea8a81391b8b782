// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.report.ReportRun;
import io.memshard.bench.report.RingReport;
import io.memshard.bench.report.ScaleReport;
import io.memshard.bench.result.RingFiles;
import io.memshard.bench.result.ScaleFiles;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bench/run report DIR}: draws the report of a results folder again. */
@Command(name = "report", description = "Draws the report and the charts of a results folder again.")
final class ReportCommand extends BenchCommand {

    @Parameters(
            paramLabel = "DIR",
            description = "Folder with slices.csv and environment.csv, with locks.json, or with all three; or one with"
                    + " rings.csv or scale.csv and environment.csv.")
    private Path folder = Path.of(".");

    @Override
    public Integer call() {
        if (RingFiles.isIn(folder)) {
            RingReport.run(folder, out());
        } else if (ScaleFiles.isIn(folder)) {
            ScaleReport.run(folder, out());
        } else {
            ReportRun.run(folder, out());
        }
        return 0;
    }
}
