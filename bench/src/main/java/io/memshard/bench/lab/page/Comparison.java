// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.contender.Clients;
import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.result.Environment;
import io.memshard.bench.result.MarkdownTable;
import io.memshard.bench.statistics.Bootstrap;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.Margin;
import io.memshard.bench.statistics.Sample;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Results of the experiment {@link Clients}, as medians and as ratios to a baseline. */
public final class Comparison {

    /** Maximum ratio between the two runs of the baseline. With a greater ratio, the results are too noisy. */
    static final double NOISY = 1.3;

    private static final Margin MARGIN = new Margin(0.05);

    private static final Bootstrap BOOTSTRAP = new Bootstrap(1000, 20260728);

    private final LabData run;
    private final List<Line> lines = new ArrayList<>();

    record Line(Condition condition, String contender, List<ForkResult> rows) {

        boolean isAgain() {
            return contender.endsWith(ForkKey.AGAIN);
        }

        Interval throughput() {
            return interval(byFork(rows, Comparison::throughput));
        }

        double cpuMicros() {
            return Sample.median(byFork(rows, row -> Metric.of("client_cpu_us", row)).stream()
                    .mapToDouble(Sample::median)
                    .toArray());
        }
    }

    private Comparison(LabData run) {
        this.run = run;
        List<String> first = List.of(baseline(), baseline() + ForkKey.AGAIN);
        Comparator<String> order = Comparator.comparing((String arm) -> !first.contains(arm))
                .thenComparing(
                        arm -> ContenderKind.of(arm).map(ContenderKind::ordinal).orElse(Integer.MAX_VALUE))
                .thenComparing(Comparator.naturalOrder());
        Map<Condition, Map<String, List<ForkResult>>> rows = new LinkedHashMap<>();
        rows().forEach(row -> rows.computeIfAbsent(row.key().condition(), condition -> new TreeMap<>(order))
                .computeIfAbsent(row.key().arm(), arm -> new ArrayList<>())
                .add(row));
        rows.forEach((condition, arms) -> arms.forEach((arm, forks) -> lines.add(new Line(condition, arm, forks))));
    }

    public static Comparison read(Path folder) {
        return new Comparison(LabData.read(folder));
    }

    private List<ForkResult> rows() {
        return run.forks(Clients.NAME).all();
    }

    LabData run() {
        return run;
    }

    List<Line> lines() {
        return lines;
    }

    String baseline() {
        List<String> arms = rows().stream().map(row -> row.key().arm()).toList();
        return arms.stream()
                .filter(arm -> arms.contains(arm + ForkKey.AGAIN))
                .findFirst()
                .orElse(arms.contains("connection") || arms.isEmpty() ? "connection" : arms.get(0));
    }

    public int forks() {
        return rows().stream().mapToInt(row -> row.key().block()).max().orElse(0);
    }

    Interval ratio(Line line, String baseline) {
        return interval(ratios(line, baseline));
    }

    private List<double[]> ratios(Line line, String baseline) {
        boolean isSame = line.contender.equals(baseline) || line.contender.equals(baseline + ForkKey.AGAIN);
        Map<String, Double> below = lines.stream()
                .filter(other -> other.condition.equals(line.condition)
                        && (other.contender.equals(baseline)
                                || (!isSame && other.contender.equals(baseline + ForkKey.AGAIN))))
                .flatMap(other -> other.rows.stream())
                .filter(row -> row.get(Measure.CYCLES) > 0)
                .collect(Collectors.groupingBy(
                        Comparison::round, Collectors.averagingDouble(row -> Math.log(throughput(row)))));
        return byFork(
                line.rows.stream().filter(row -> below.containsKey(round(row))).toList(),
                row -> throughput(row) / Math.exp(below.getOrDefault(round(row), Double.NaN)));
    }

    private static String round(ForkResult row) {
        return row.key().block() + " " + row.figures().getOrDefault("round", 1.0);
    }

    /** Returns the operations per second. Instead of 0, returns a small number, because 0 has no logarithm. */
    private static double throughput(ForkResult row) {
        return Math.max(0.5, row.get(Measure.CYCLES)) / row.get(Measure.SECONDS);
    }

    private static Interval interval(List<double[]> forks) {
        return forks.isEmpty() ? Interval.UNKNOWN : BOOTSTRAP.nestedMedian(forks);
    }

    private static List<double[]> byFork(List<ForkResult> rows, ToDoubleFunction<ForkResult> figure) {
        return rows.stream()
                .filter(row -> figure.applyAsDouble(row) > 0 && Double.isFinite(figure.applyAsDouble(row)))
                .collect(Collectors.groupingBy(row -> row.key().block(), LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(fork -> fork.stream().mapToDouble(figure).toArray())
                .toList();
    }

    private boolean isNoisy() {
        return lines.stream()
                .filter(line -> line.contender.equals(baseline() + ForkKey.AGAIN))
                .map(line -> ratios(line, baseline()))
                .filter(forks -> !forks.isEmpty())
                .map(forks -> forks.size() == 1 ? Sample.quartiles(forks.get(0)) : interval(forks))
                .anyMatch(Comparison::isNoise);
    }

    static boolean isNoise(Interval itself) {
        Margin.Position position = MARGIN.of(itself);
        boolean differs = position == Margin.Position.ABOVE || position == Margin.Position.BELOW;
        return differs || itself.low() < 1 / NOISY || itself.high() > NOISY;
    }

    static String word(Interval ratio) {
        if (!ratio.isKnown()) {
            return "";
        }
        return switch (MARGIN.of(ratio)) {
            case ABOVE -> " faster";
            case BELOW -> " slower";
            case EQUAL -> " equal";
            case UNKNOWN -> " inconclusive";
        };
    }

    /** Returns a Markdown table of ratios. An empty {@code to} is the baseline, and an empty {@code only} is all. */
    public String table(String to, List<String> only) {
        String baseline = to.isEmpty() ? baseline() : to;
        requireKnown(List.of(baseline));
        requireKnown(only);
        boolean hasWords = run.facts().get("busy").isEmpty() && !isNoisy();
        List<Condition> conditions =
                lines.stream().map(Line::condition).distinct().toList();
        boolean isOneLoad = conditions.stream().map(Comparison::load).distinct().count() == 1;
        var table = new MarkdownTable<List<Line>>().text("ratio to " + baseline, row -> row.get(0).contender);
        for (Condition condition : conditions) {
            table.number(
                    isOneLoad ? callers(condition) : callers(condition) + ", " + load(condition),
                    row -> row.stream()
                            .filter(line -> line.condition.equals(condition))
                            .findFirst()
                            .map(line -> cell(line, baseline, hasWords))
                            .orElse(""));
        }
        return table.of(lines.stream()
                        .filter(line -> only.isEmpty() || only.contains(line.contender))
                        .collect(Collectors.groupingBy(Line::contender, LinkedHashMap::new, Collectors.toList()))
                        .values())
                + remarks();
    }

    void requireKnown(Iterable<String> contenders) {
        for (String contender : contenders) {
            if (lines.stream().noneMatch(line -> line.contender.equals(contender))) {
                throw new IllegalArgumentException("contender \"" + contender + "\" did not take part in this run");
            }
        }
    }

    private String cell(Line line, String baseline, boolean hasWords) {
        Interval ratio = ratio(line, baseline);
        String text = line.contender.equals(baseline)
                ? "1"
                : Double.isNaN(ratio.mid()) ? "-" : ratio.text() + (hasWords ? word(ratio) : "");
        return String.format(Locale.ROOT, "%s, %.1f us", text, line.cpuMicros());
    }

    private String remarks() {
        List<String> remarks = new ArrayList<>();
        if (run.facts().get("server").contains(Environment.NO_MEMCACHED)) {
            remarks.add("**NO MEMCACHED**: the server was the embedded one. Do not publish these figures.");
        }
        if (forks() < 2) {
            remarks.add(
                    "The ratios have no interval, because each is from one JVM process. Another process may give other ratios.");
        }
        if (!run.facts().get("busy").isEmpty()) {
            remarks.add("**BUSY** at the start: " + run.facts().get("busy") + ".");
        }
        if (isNoisy()) {
            remarks.add("**NOISY**: the two runs of " + baseline() + " differ, or may differ by a factor above " + NOISY
                    + ". Read only orders of magnitude.");
        }
        return remarks.stream().map(remark -> "\n" + remark + "\n").collect(Collectors.joining());
    }

    static String callers(Condition condition) {
        int threads = condition.threads();
        return switch (condition.text(Condition.CALLERS, "")) {
            case Condition.VIRTUAL -> threads + " virtual threads";
            case "async" -> threads + " async x " + condition.text("inflight", "1") + " in flight";
            default -> threads == 1 ? "1 thread" : threads + " threads";
        };
    }

    static String load(Condition condition) {
        int bytes = Clients.valueSize(condition);
        String size = bytes % 1024 == 0 ? bytes / 1024 + " KiB" : bytes + " B";
        return switch (Clients.load(condition)) {
            case GET -> "get of " + size;
            case SET -> "set of " + size;
            case REALISTIC -> "realistic mix of " + size + " on average";
        };
    }
}
