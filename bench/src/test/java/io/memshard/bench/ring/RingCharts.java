// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import io.memshard.bench.chart.DotChart;
import io.memshard.bench.chart.Numbers;
import io.memshard.bench.chart.SeriesStyle;
import io.memshard.bench.result.Quartiles;
import java.util.Comparator;
import java.util.List;

/**
 * Figures of rings as drawings with a row for each ring. A ring that moves no more keys than it must is drawn in blue,
 * one that does when a server is added in orange. Threading: stateless.
 */
public final class RingCharts {

    private static final SeriesStyle CONSISTENT = new SeriesStyle("#0072b2", "none", SeriesStyle.Mark.CIRCLE);
    private static final SeriesStyle INCONSISTENT = new SeriesStyle("#d55e00", "none", SeriesStyle.Mark.SQUARE);

    /** Keys that go astray by the rounding of shares do not make a ring inconsistent. */
    private static final double MOST_ASTRAY = 0.05;

    private RingCharts() {}

    /** Figures that are drawn. */
    public enum Kind {
        /** The emptiest and the fullest server. */
        BALANCE,
        /** The time of a look-up. */
        LOOKUP
    }

    /**
     * Draws one.
     *
     * @param count the number of servers
     * @throws IllegalArgumentException if that was not measured
     */
    public static String draw(RingResult result, Kind kind, int count) {
        if (!result.servers(RingMeasure.MAX_OVER_MEAN).contains(count)) {
            throw new IllegalArgumentException(count + " servers were not measured");
        }
        return switch (kind) {
            case BALANCE ->
                DotChart.draw(
                                new DotChart.Frame(
                                        "Keys of a server over those of the mean one, " + count + " servers",
                                        "keys of the emptiest and the fullest of " + count + " servers over the mean",
                                        1,
                                        "deviation",
                                        Numbers::ratio),
                                rows(result, count, RingCharts::balance))
                        .toString();
            case LOOKUP ->
                DotChart.draw(
                                new DotChart.Frame(
                                        "Time to find the server of a key, " + count + " servers",
                                        "ns of CPU time to find one of " + count + " servers, with quartiles",
                                        Double.NaN,
                                        "bytes",
                                        Numbers::significant),
                                rows(result, count, RingCharts::lookup))
                        .toString();
        };
    }

    @FunctionalInterface
    private interface RowOf {
        DotChart.Row row(RingResult result, String ring, int count, SeriesStyle style);
    }

    private static List<DotChart.Row> rows(RingResult result, int count, RowOf rowOf) {
        return result.rings().stream()
                .map(ring -> rowOf.row(result, ring, count, style(result, ring, count)))
                .sorted(Comparator.comparingDouble(DotChart.Row::high))
                .toList();
    }

    private static SeriesStyle style(RingResult result, String ring, int count) {
        return figure(result, ring, count, RingMeasure.ADDED_ASTRAY).median() > MOST_ASTRAY ? INCONSISTENT : CONSISTENT;
    }

    private static DotChart.Row balance(RingResult result, String ring, int count, SeriesStyle style) {
        double least = figure(result, ring, count, RingMeasure.MIN_OVER_MEAN).median();
        double most = figure(result, ring, count, RingMeasure.MAX_OVER_MEAN).median();
        double deviation = figure(result, ring, count, RingMeasure.DEVIATION).median();
        return new DotChart.Row(
                ring, style, least, List.of(least, most), most, Numbers.significant(100 * deviation) + " %");
    }

    private static DotChart.Row lookup(RingResult result, String ring, int count, SeriesStyle style) {
        Quartiles time = figure(result, ring, count, RingMeasure.LOOKUP_NS);
        double bytes = figure(result, ring, count, RingMeasure.LOOKUP_BYTES).median();
        return new DotChart.Row(
                ring, style, time.lower(), List.of(time.median()), time.upper(), Numbers.significant(Math.rint(bytes)));
    }

    private static Quartiles figure(RingResult result, String ring, int count, RingMeasure measure) {
        return result.quartiles(ring, count, measure).orElseThrow();
    }
}
