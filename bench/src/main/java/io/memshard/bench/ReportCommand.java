// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.command.BenchException;
import io.memshard.bench.command.BenchPart;
import io.memshard.bench.locks.LockReport;
import io.memshard.bench.result.ComparisonFiles;
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
        if (BenchPart.all().stream().noneMatch(part -> part.report(folder, out()))) {
            throw new BenchException(
                    folder + " holds neither " + ComparisonFiles.SLICES + " nor " + LockReport.FILE_NAME);
        }
        return 0;
    }
}
