// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.locks.LockReport;
import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.TextFile;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * Run that writes the report of a results folder into that folder. The report is a page that never changes, the data
 * that it shows, and {@code chart.svg} if contenders were compared. Threading: stateless. Failure: {@link
 * UncheckedIOException} in one sentence.
 */
public final class ReportRun {

    /** Names of the page and of the script that shows the data on it. */
    private static final List<String> PAGE = List.of("report.html", "report.js");

    private static final JsonMapper MAPPER = new JsonMapper();

    private ReportRun() {}

    /**
     * Writes the report of the results in {@code folder}: a comparison, lock profiles or both. Returns false if the
     * folder has neither.
     */
    public static boolean run(Path folder, PrintWriter out) {
        ComparisonResult comparison = ComparisonFiles.isIn(folder) ? ComparisonFiles.read(folder) : null;
        LockReport locks = LockReport.isIn(folder) ? LockReport.read(folder) : null;
        if (comparison == null && locks == null) {
            return false;
        }
        ReportData data = new ReportData(comparison == null ? null : ReportData.Comparison.of(comparison), locks);
        TextFile.write(folder.resolve("report-data.js"), "var report = " + MAPPER.writeValueAsString(data) + ";\n");
        PAGE.forEach(name -> TextFile.write(folder.resolve(name), TextFile.resource(ReportRun.class, name)));
        if (comparison != null && !comparison.slices().isEmpty()) {
            TextFile.write(
                    folder.resolve("chart.svg"),
                    ComparisonCharts.throughput(comparison, Map.of()).svg());
        }
        out.println("- report: " + folder.resolve(PAGE.get(0)));
        return true;
    }
}
