package io.memshard.bench.report;

import io.memshard.bench.locks.LockReport;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.ResultFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Draws the report of a results folder into that folder: {@code report.html}, and {@code chart.svg} if
 * something was compared.
 *
 * <p>Threading: stateless. Failure: {@link UncheckedIOException} in one sentence.
 */
public final class ReportRun {

    private ReportRun() {}

    /**
     * Draws what is there: {@code compare.json}, {@code locks.json} or both.
     *
     * @param folder with the results
     * @param out for the name of the page
     * @return the page
     * @throws UncheckedIOException if neither file is there, or one cannot be read
     */
    public static Path run(Path folder, PrintWriter out) {
        ComparisonResult comparison = readIfThere(folder.resolve(ComparisonResult.FILE_NAME), ComparisonResult.class);
        LockReport locks = readIfThere(folder.resolve(LockReport.FILE_NAME), LockReport.class);
        if (comparison == null && locks == null) {
            String message = folder + " holds neither " + ComparisonResult.FILE_NAME + " nor " + LockReport.FILE_NAME;
            throw new UncheckedIOException(message, new IOException(message));
        }
        Path page = folder.resolve("report.html");
        write(page, ReportPage.html(comparison, locks));
        String chart = ReportPage.chart(comparison);
        if (chart != null) {
            write(folder.resolve("chart.svg"), chart);
        }
        out.println("- report: " + page);
        out.flush();
        return page;
    }

    private static <T extends Record> @Nullable T readIfThere(Path file, Class<T> type) {
        return Files.exists(file) ? ResultFiles.read(file, type) : null;
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
