// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.locks.LockReport;
import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.ComparisonResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Draws the report of a results folder into that folder: {@code report.html}, and {@code chart.svg} if
 * something was compared.
 *
 * <p>Threading: stateless. Failure: {@link UncheckedIOException} in one sentence.
 */
public final class ReportRun {

    private ReportRun() {}

    /**
     * Draws what is there: a comparison, lock profiles or both.
     *
     * @param folder with the results
     * @param out for the name of the page
     * @return whether there was one of them
     * @throws UncheckedIOException if one cannot be read
     */
    public static boolean run(Path folder, PrintWriter out) {
        ComparisonResult comparison = ComparisonFiles.isIn(folder) ? ComparisonFiles.read(folder) : null;
        LockReport locks = LockReport.isIn(folder) ? LockReport.read(folder) : null;
        if (comparison == null && locks == null) {
            return false;
        }
        Path page = folder.resolve("report.html");
        write(page, ReportPage.html(comparison, locks));
        if (comparison != null && !comparison.slices().isEmpty()) {
            write(folder.resolve("chart.svg"), chart(comparison));
        }
        out.println("- report: " + page);
        out.flush();
        return true;
    }

    /**
     * Throughput over threads of the first workload, as an SVG file of its own.
     *
     * @throws IllegalArgumentException if nothing was compared
     */
    public static String chart(ComparisonResult comparison) {
        if (comparison.slices().isEmpty()) {
            throw new IllegalArgumentException("there is no slice to draw a chart of");
        }
        return ComparisonSection.throughput(
                        Workload.of(comparison.summaries()).get(0),
                        comparison.plan().forks())
                .toString();
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
