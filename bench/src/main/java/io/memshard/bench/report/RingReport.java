// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.report.RingCharts.Kind;
import io.memshard.bench.result.RingFiles;
import io.memshard.bench.result.RingMeasure;
import io.memshard.bench.result.RingResult;
import io.memshard.bench.table.RingTables;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The report of a folder with figures of rings, into that folder: {@code rings.md} with all tables, and a drawing of
 * each kind.
 *
 * <p>Threading: stateless. Failure: {@link UncheckedIOException} in one sentence.
 */
public final class RingReport {

    private RingReport() {}

    /**
     * Draws it, and prints the tables.
     *
     * @param folder with the figures
     * @param out for the tables and the names of the files
     */
    public static void run(Path folder, PrintWriter out) {
        RingResult result = RingFiles.read(folder);
        String tables = RingTables.all(result);
        write(folder.resolve("rings.md"), tables);
        out.print("\n" + tables);
        int count = RingTables.usual(result.servers(RingMeasure.MAX_OVER_MEAN));
        for (Kind kind : Kind.values()) {
            Path file = folder.resolve("rings-" + kind.name().toLowerCase(Locale.ROOT) + ".svg");
            write(file, RingCharts.draw(result, kind, count));
            out.println("- drawing: " + file);
        }
        out.println("- raw data: " + folder.resolve(RingFiles.RINGS));
        out.flush();
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
