// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import io.memshard.bench.chart.DotChart;
import io.memshard.bench.chart.Frame;
import io.memshard.bench.chart.Numbers;
import io.memshard.bench.chart.Picture;
import io.memshard.bench.result.Quartiles;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Figures of rings as drawings with a row for each ring. A ring that moves no more keys than it must is drawn in blue,
 * one that does when a server is added in orange. Threading: stateless.
 */
public final class RingCharts {

    private static final String CONSISTENT = "consistent";
    private static final String INCONSISTENT = "not consistent";
    private static final Map<String, String> COLOURS = colours();

    /** Keys that go astray by the rounding of shares do not make a ring inconsistent. */
    private static final double MOST_ASTRAY = 0.05;

    private RingCharts() {}

    private static Map<String, String> colours() {
        Map<String, String> colours = new LinkedHashMap<>();
        colours.put(CONSISTENT, "#0072b2");
        colours.put(INCONSISTENT, "#d55e00");
        return colours;
    }

    /** Figures that are drawn. */
    public enum Kind {
        /** The emptiest and the fullest server. */
        BALANCE(
                "Keys of a server over those of the mean one",
                "keys of the emptiest and the fullest of %d servers over the mean; right: deviation",
                1),
        /** The time of a look-up. */
        LOOKUP(
                "Time to find the server of a key",
                "ns of CPU time to find one of %d servers, with quartiles; right: bytes",
                Double.NaN);

        private final String title;
        private final String unit;
        private final double reference;

        Kind(String title, String unit, double reference) {
            this.title = title;
            this.unit = unit;
            this.reference = reference;
        }

        private String text(double figure) {
            return this == BALANCE ? Numbers.ratio(figure) : Numbers.significant(figure) + " ns";
        }
    }

    /**
     * Draws one.
     *
     * @param count the number of servers
     * @throws IllegalArgumentException if that was not measured
     */
    public static Picture draw(RingResult result, Kind kind, int count) {
        if (!result.servers(RingMeasure.MAX_OVER_MEAN).contains(count)) {
            throw new IllegalArgumentException(count + " servers were not measured");
        }
        List<DotChart.Row> rows = rows(result, count, kind == Kind.BALANCE ? RingCharts::balance : RingCharts::lookup);
        String finding = rows.stream()
                .map(row -> row.label() + " "
                        + row.points().stream().map(kind::text).collect(Collectors.joining(" to ")))
                .collect(Collectors.joining(", ", kind.title + ", " + count + " servers: ", "."));
        return DotChart.draw(
                new Frame(kind.title + ", " + count + " servers", finding, kind.unit.formatted(count)),
                kind.reference,
                COLOURS,
                rows);
    }

    @FunctionalInterface
    private interface RowOf {
        DotChart.Row row(RingResult result, String ring, int count, String group);
    }

    private static List<DotChart.Row> rows(RingResult result, int count, RowOf rowOf) {
        return result.rings().stream()
                .map(ring -> rowOf.row(result, ring, count, group(result, ring, count)))
                .sorted(Comparator.comparingDouble(DotChart.Row::high))
                .toList();
    }

    private static String group(RingResult result, String ring, int count) {
        return figure(result, ring, count, RingMeasure.ADDED_ASTRAY).median() > MOST_ASTRAY ? INCONSISTENT : CONSISTENT;
    }

    private static DotChart.Row balance(RingResult result, String ring, int count, String group) {
        double least = figure(result, ring, count, RingMeasure.MIN_OVER_MEAN).median();
        double most = figure(result, ring, count, RingMeasure.MAX_OVER_MEAN).median();
        double deviation = figure(result, ring, count, RingMeasure.DEVIATION).median();
        return new DotChart.Row(
                ring,
                group,
                least,
                List.of(least, most),
                most,
                Numbers.significant(100 * deviation) + " %",
                Double.NaN);
    }

    private static DotChart.Row lookup(RingResult result, String ring, int count, String group) {
        Quartiles time = figure(result, ring, count, RingMeasure.LOOKUP_NS);
        double bytes = figure(result, ring, count, RingMeasure.LOOKUP_BYTES).median();
        return new DotChart.Row(
                ring,
                group,
                time.lower(),
                List.of(time.median()),
                time.upper(),
                Numbers.significant(Math.rint(bytes)),
                Double.NaN);
    }

    private static Quartiles figure(RingResult result, String ring, int count, RingMeasure measure) {
        return result.quartiles(ring, count, measure).orElseThrow();
    }
}
