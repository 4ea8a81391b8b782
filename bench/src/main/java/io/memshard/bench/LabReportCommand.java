// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.lab.data.Recordings;
import io.memshard.bench.lab.judge.Claims;
import io.memshard.bench.lab.judge.Finding;
import io.memshard.bench.lab.page.LabReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench/run lab report DIR}: judges the data of a folder and writes its pages. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Judges the data of a folder by the claims, and writes a page for each into DIR/pages.",
            "Reads the recordings of lock profiles again, where they are in the folder."
        })
final class LabReportCommand implements Callable<Integer> {

    @Parameters(paramLabel = "DIR", description = "Folder with lab.csv and forks.csv.")
    private Path folder = Path.of(".");

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        report(folder, Main.out(spec));
        return 0;
    }

    static Claims claims() {
        return Claims.load();
    }

    static void report(Path folder, PrintWriter out) {
        Recordings.writeWaits(folder);
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
