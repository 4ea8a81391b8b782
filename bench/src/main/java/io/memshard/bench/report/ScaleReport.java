// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.result.ScaleFiles;
import io.memshard.bench.table.ScaleTables;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The report of a folder with figures of many servers, into that folder: {@code scale.md}.
 *
 * <p>Threading: stateless. Failure: {@link UncheckedIOException} in one sentence.
 */
public final class ScaleReport {

    private ScaleReport() {}

    /**
     * Writes and prints the table.
     *
     * @param folder with the figures
     * @param out for the table and the name of the file
     */
    public static void run(Path folder, PrintWriter out) {
        String tables = ScaleTables.all(ScaleFiles.read(folder));
        Path file = folder.resolve("scale.md");
        try {
            Files.writeString(file, tables);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
        out.print("\n" + tables);
        out.println("- raw data: " + folder.resolve(ScaleFiles.SCALE));
        out.flush();
    }
}
