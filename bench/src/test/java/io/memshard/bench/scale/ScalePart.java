// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.scale;

import io.memshard.bench.command.BenchPart;
import io.memshard.bench.command.Marker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * The study of many servers.
 *
 * <p>Threading: stateless. Failure: {@link UncheckedIOException} in one sentence.
 */
public final class ScalePart implements BenchPart {

    @Override
    public List<Callable<Integer>> commands() {
        return List.of(new ScaleCommand());
    }

    @Override
    public List<String> pages() {
        return List.of("servers");
    }

    @Override
    public Map<String, Function<Marker, String>> markers() {
        return Map.of(
                "scale", marker -> ScaleTables.table(ScaleFiles.read(marker.data())),
                "scale-environment", marker -> ScaleTables.environment(ScaleFiles.read(marker.data())));
    }

    @Override
    public boolean report(Path folder, PrintWriter out) {
        boolean found = ScaleFiles.isIn(folder);
        if (found) {
            draw(folder, out);
        }
        return found;
    }

    /** Writes {@code scale.md} with the table into {@code folder}, and prints it. */
    static void draw(Path folder, PrintWriter out) {
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
