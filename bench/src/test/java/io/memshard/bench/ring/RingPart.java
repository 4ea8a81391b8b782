// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import io.memshard.bench.command.BenchPart;
import io.memshard.bench.command.Marker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * The study of rings.
 *
 * <p>Threading: stateless. Failure: {@link UncheckedIOException} in one sentence.
 */
public final class RingPart implements BenchPart {

    @Override
    public List<Callable<Integer>> commands() {
        return List.of(new RingCommand());
    }

    @Override
    public List<String> pages() {
        return List.of("rings");
    }

    @Override
    public Map<String, Function<Marker, String>> markers() {
        return Map.of(
                "rings",
                marker -> {
                    RingResult result = RingFiles.read(marker.data());
                    return RingTables.table(result, kind(RingTables.Kind.class, marker), counts(marker));
                },
                "rings-chart",
                RingPart::chart,
                "rings-environment",
                marker -> RingTables.environment(RingFiles.read(marker.data())));
    }

    private static String chart(Marker marker) {
        RingResult result = RingFiles.read(marker.data());
        RingCharts.Kind kind = kind(RingCharts.Kind.class, marker);
        List<Integer> counts = counts(marker);
        if (counts.size() != 1) {
            throw new IllegalArgumentException("the marker needs \"of CHART N\" with a number of servers");
        }
        return marker.image(RingCharts.draw(result, kind, counts.get(0)));
    }

    private static <E extends Enum<E>> E kind(Class<E> type, Marker marker) {
        String name = marker.after("of").stream()
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the marker needs \"of TABLE\" or \"of CHART\""));
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("rings have no \"" + name + "\"; there are "
                        + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT)));
    }

    private static List<Integer> counts(Marker marker) {
        return marker.after("of").stream().skip(1).map(Marker::number).toList();
    }

    @Override
    public boolean report(Path folder, PrintWriter out) {
        boolean found = RingFiles.isIn(folder);
        if (found) {
            draw(folder, out);
        }
        return found;
    }

    /** Writes {@code rings.md} with all tables and a drawing of each kind into {@code folder}. Prints the tables. */
    static void draw(Path folder, PrintWriter out) {
        RingResult result = RingFiles.read(folder);
        String tables = RingTables.all(result);
        write(folder.resolve("rings.md"), tables);
        out.print("\n" + tables);
        int count = RingTables.usual(result.servers(RingMeasure.MAX_OVER_MEAN));
        for (RingCharts.Kind kind : RingCharts.Kind.values()) {
            Path file = folder.resolve("rings-" + kind.name().toLowerCase(Locale.ROOT) + ".svg");
            write(file, RingCharts.draw(result, kind, count).svg());
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
