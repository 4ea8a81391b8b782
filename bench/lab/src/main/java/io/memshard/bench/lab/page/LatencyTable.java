// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.chart.Frame;
import io.memshard.bench.chart.LineChart;
import io.memshard.bench.chart.Numbers;
import io.memshard.bench.chart.Picture;
import io.memshard.bench.chart.SeriesStyle;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.run.Fork;
import io.memshard.bench.lab.venus.OfferedLoad;
import io.memshard.bench.statistics.Bootstrap;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.Sample;
import io.memshard.bench.table.MarkdownTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Latency of each client at each offered load: percentiles of the time from when a request is due until its end. A
 * figure is the median of the forks' percentiles, with its interval over forks.
 *
 * <p>Threading: confined to one thread.
 */
public final class LatencyTable {

    /**
     * Maximum difference of served from offered requests, as a fraction of the latter; beyond it the client is
     * saturated.
     */
    private static final double MOST_OFF = 0.01;

    /** Number of standard deviations by which the number of random arrivals may differ from its mean. */
    private static final double DEVIATIONS = 3;

    /** Number of requests that a fork needs for its 99.9th percentile to be shown. */
    private static final double LEAST_REQUESTS = 100_000;

    /** Lag of the callers above which a figure is marked, as a fraction of the median latency. */
    private static final double MOST_LAG = 0.1;

    /** Contenders whose style is used for arms with other names, by the name of the arm. */
    private static final Map<String, String> CONTENDERS =
            Map.of(OfferedLoad.MEMSHARD, "memshard-sticky", "connection-optimized", "spymemcached-optimized");

    private static final SortedMap<String, Measure> PERCENTILES =
            new TreeMap<>(Map.of("p50", Measure.P50_US, "p99", Measure.P99_US, "p99.9", Measure.P999_US));

    private final Forks forks;
    private final List<Integer> rates;

    private LatencyTable(LabData data) {
        this.forks = data.forks(OfferedLoad.NAME);
        this.rates = forks.all().stream()
                .map(fork -> fork.key().condition().rate())
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the tables of a run, one for each percentile, and the facts of the run. */
    public static String of(LabData data) {
        LatencyTable table = new LatencyTable(data);
        StringBuilder text = new StringBuilder();
        PERCENTILES.forEach(
                (name, measure) -> text.append(table.table(name, measure)).append('\n'));
        return text.append(table.notes()).append('\n').append(data.lines()).toString();
    }

    /**
     * Returns a drawing of a percentile, {@code p50}, {@code p99} or {@code p99.9}, over the offered load.
     *
     * @param labels names in the drawing by arm; empty for all arms under their own names
     */
    public static Picture chart(Path folder, String percentile, Map<String, String> labels) {
        Measure measure = PERCENTILES.get(percentile);
        if (measure == null) {
            throw new IllegalArgumentException("\"" + percentile + "\" is none of " + PERCENTILES.keySet());
        }
        LatencyTable table = new LatencyTable(LabData.read(folder));
        List<String> arms = table.forks.arms().stream()
                .filter(arm -> labels.isEmpty() || labels.containsKey(arm))
                .toList();
        Map<String, SeriesStyle> styles = SeriesStyle.of(
                arms.stream().map(arm -> CONTENDERS.getOrDefault(arm, arm)).toList());
        List<LineChart.Series> series = arms.stream()
                .map(arm -> new LineChart.Series(
                        labels.getOrDefault(arm, arm),
                        Objects.requireNonNull(styles.get(CONTENDERS.getOrDefault(arm, arm))),
                        table.rates.stream()
                                .map(rate -> table.isSaturated(arm, rate)
                                        ? Interval.UNKNOWN
                                        : inMillis(table.figure(arm, rate, measure)))
                                .toList()))
                .toList();
        Frame frame = new Frame(
                percentile + " of the latency over the offered load",
                series.stream().map(table::last).collect(Collectors.joining("; ", percentile + " of a get: ", ".")),
                "requests a second that are offered",
                percentile + " in ms; a line ends where its client is saturated");
        return LineChart.drawLogarithmic(
                frame,
                table.rates.stream()
                        .map(rate -> String.format(Locale.ROOT, "%,d", rate))
                        .toList(),
                series);
    }

    /** Returns the last point of a line in words. */
    private String last(LineChart.Series line) {
        for (int i = rates.size() - 1; i >= 0; i--) {
            double millis = line.values().get(i).mid();
            if (Double.isFinite(millis)) {
                return String.format(
                        Locale.ROOT,
                        "%s up to %,d a second, %s ms there",
                        line.label(),
                        rates.get(i),
                        Numbers.significant(millis));
            }
        }
        return line.label() + " saturated at every load";
    }

    private static Interval inMillis(Interval micros) {
        return new Interval(micros.low() / 1e3, micros.mid() / 1e3, micros.high() / 1e3);
    }

    private String table(String name, Measure measure) {
        MarkdownTable<String> table = new MarkdownTable<String>().text(name + ", us", arm -> arm);
        for (int rate : rates) {
            table.number(String.format(Locale.ROOT, "%,d/s", rate), arm -> cell(arm, rate, measure));
        }
        return table.of(forks.arms());
    }

    private String cell(String arm, int rate, Measure measure) {
        double[] served = values(arm, rate, Metric.THROUGHPUT);
        if (served.length == 0) {
            return "-";
        }
        if (isSaturated(arm, rate)) {
            return String.format(Locale.ROOT, "saturated: %,.0f/s", Sample.median(served));
        }
        if (measure == Measure.P999_US && Sample.median(values(arm, rate, Measure.CYCLES.column())) < LEAST_REQUESTS) {
            return "-";
        }
        return figure(arm, rate, measure).text("%,.0f") + (isLate(arm, rate) ? " *" : "");
    }

    private boolean isSaturated(String arm, int rate) {
        double offered = rate * Sample.median(values(arm, rate, Measure.SECONDS.column()));
        double served = Sample.median(values(arm, rate, Measure.CYCLES.column()));
        return Math.abs(served - offered) > Math.max(MOST_OFF * offered, DEVIATIONS * Math.sqrt(offered));
    }

    private boolean isLate(String arm, int rate) {
        return Sample.median(values(arm, rate, Fork.LAG))
                > MOST_LAG * Sample.median(values(arm, rate, Measure.P50_US.column()));
    }

    private double[] values(String arm, int rate, String metric) {
        return forks.all().stream()
                .map(ForkResult::key)
                .filter(key -> key.openedArm().equals(arm) && key.condition().rate() == rate)
                .findFirst()
                .map(key -> forks.values(arm, key.condition(), metric))
                .orElse(new double[0]);
    }

    private Interval figure(String arm, int rate, Measure measure) {
        double[] values = values(arm, rate, measure.column());
        return values.length == 0 ? Interval.UNKNOWN : Bootstrap.STANDARD.median(values);
    }

    private String notes() {
        double lag = forks.all().stream()
                .mapToDouble(fork -> Metric.of(Fork.LAG, fork))
                .filter(Double::isFinite)
                .max()
                .orElse(0);
        return String.format(
                Locale.ROOT,
                "A caller that was free began a request at most %,.0f us late, 99 of 100 times, in the worst fork. A star"
                        + " marks figures where that is more than a tenth of the median latency.%n",
                lag);
    }
}
