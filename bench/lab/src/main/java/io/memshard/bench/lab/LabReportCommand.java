// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.Judge.Finding;
import io.memshard.bench.lab.page.LabReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bench/run lab report DIR}: judges the data of a folder and writes its pages. */
@Command(
        name = "report",
        description = {
            "Judges the data of a folder by the claims, and writes a page for each into DIR/pages.",
            "Reads the recordings of lock profiles again, where they are in the folder."
        })
final class LabReportCommand extends BenchCommand {

    @Parameters(paramLabel = "DIR", description = "Folder with lab.csv and forks.csv.")
    private Path folder = Path.of(".");

    @Override
    public Integer call() {
        report(folder, out());
        return 0;
    }

    static Claims claims() {
        return Claims.load();
    }

    static void report(Path folder, PrintWriter out) {
        WaitRow.write(folder);
        LabReport report = LabReport.of(folder, claims());
        Path pages = folder.resolve("pages");
        report.write(pages);
        for (Finding finding : report.findings()) {
            out.println(
                    "- " + finding.claim().title() + ": " + finding.verdict().label());
        }
        out.println("- pages: " + pages.resolve(LabReport.INDEX));
        out.flush();
    }
}
