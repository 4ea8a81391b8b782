// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.chart.DotChart;
import io.memshard.bench.chart.LineChart;
import io.memshard.bench.chart.Numbers;
import io.memshard.bench.chart.SeriesStyle;
import io.memshard.bench.result.Quartiles;
import io.memshard.bench.statistics.Interval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The drawings of the lab, each an SVG file of its own.
 *
 * <p>Threading: stateless.
 */
public final class LabCharts {

    private static final String CLAIMED = "#5d6770";

    private LabCharts() {}

    /**
     * A ratio beside that of the source.
     *
     * @param label what is compared
     * @param low lower end of the interval; NaN if there is none
     * @param mid the ratio, above 0
     * @param high upper end of the interval; NaN if there is none
     * @param claimed by the source; NaN if it gives no figure
     */
    public record Ratio(String label, double low, double mid, double high, double claimed) {}

    /**
     * Ratios with their intervals, and below each the source's figure where it gives one.
     *
     * @param title what is shown
     * @param ratios at least one
     */
    public static String ratios(String title, List<Ratio> ratios) {
        List<DotChart.Row> rows = new ArrayList<>();
        for (Ratio ratio : ratios) {
            rows.add(new DotChart.Row(
                    ratio.label(),
                    SeriesStyle.of("memshard"),
                    Double.isFinite(ratio.low()) ? ratio.low() : ratio.mid(),
                    List.of(ratio.mid()),
                    Double.isFinite(ratio.high()) ? ratio.high() : ratio.mid(),
                    Numbers.ratio(ratio.mid())));
            if (Double.isFinite(ratio.claimed())) {
                rows.add(new DotChart.Row(
                        "the source",
                        new SeriesStyle(CLAIMED, "none", SeriesStyle.Mark.DIAMOND),
                        ratio.claimed(),
                        List.of(ratio.claimed()),
                        ratio.claimed(),
                        Numbers.ratio(ratio.claimed())));
            }
        }
        return DotChart.draw(new DotChart.Frame(title, "ratio", 1, "ratio", Numbers::ratio), rows)
                .toString();
    }

    /**
     * Figures over numbers of threads, a line an arm.
     *
     * @param title what is shown
     * @param unit of the figures
     * @param threads in their order
     * @param figures of each arm, quartiles over the blocks, NaN where there is none
     */
    public static String curves(
            String title, String unit, List<Integer> threads, Map<String, List<Quartiles>> figures) {
        Map<String, LineChart.Series> series = new LinkedHashMap<>();
        figures.forEach((arm, values) -> series.put(
                arm,
                new LineChart.Series(
                        arm,
                        SeriesStyle.of(arm),
                        values.stream()
                                .map(value -> new Interval(value.lower(), value.median(), value.upper()))
                                .toList())));
        return LineChart.draw(
                        title,
                        unit,
                        threads.stream().map(String::valueOf).toList(),
                        "threads",
                        List.copyOf(series.values()))
                .toString();
    }
}
