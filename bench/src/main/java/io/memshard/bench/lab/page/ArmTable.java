// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.result.MarkdownTable;
import io.memshard.bench.statistics.Bootstrap;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.PairedRatio;
import io.memshard.bench.statistics.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoublePredicate;

/** Markdown table of systems. The words "faster" and "slower" are left out if the machine was busy or noisy. */
record ArmTable(Forks forks, boolean isBusy) {

    private record Column(String head, String metric) {}

    private static final String FIXED = "fixed_seconds";

    private static final List<Column> COLUMNS = List.of(
            new Column("cycles a second", Metric.THROUGHPUT),
            new Column("server and client: cycles a core-second", "cycles_per_core_second"),
            new Column("client CPU us", "client_cpu_us"),
            new Column("server CPU us", "server_cpu_us"),
            new Column("p50 us", "p50_us"),
            new Column("p99 us", "p99_us"),
            new Column("longest wait us", "longest_us"),
            new Column("callers without a cycle", "idle_callers"),
            new Column("fairness (Jain)", "jain"),
            new Column("errors", "errors"),
            new Column("fixed work s", FIXED));

    /** Maximum deviation from Little's law, as a fraction. */
    private static final double LITTLE = 0.1;

    String of(Condition condition, String baseline) {
        List<String> arms =
                forks.arms().stream().filter(arm -> forks.has(arm, condition)).toList();
        if (!arms.contains(baseline)) {
            return "";
        }
        List<PairedRatio.Block> twice = forks.again(baseline, condition);
        Interval itself = twice.isEmpty() ? Interval.UNKNOWN : PairedRatio.of(twice, Bootstrap.STANDARD);
        boolean isNoisy = itself.isKnown() && Comparison.isNoise(itself);
        StringBuilder text = new StringBuilder();
        text.append("## Every arm under ").append(condition.label()).append("\n\n");
        text.append("The ratio is to `").append(baseline).append("`.");
        if (!twice.isEmpty()) {
            text.append(" Its second run has a ratio of ")
                    .append(ratio(itself, twice.size()))
                    .append('.');
        }
        text.append(isNoisy ? " **NOISY**: read orders of magnitude only.\n\n" : "\n\n");
        boolean hasWords = !isBusy && !isNoisy;
        MarkdownTable<String> table = new MarkdownTable<String>()
                .text("arm", arm -> arm)
                .text("ratio", arm -> arm.equals(baseline) ? "1" : ratio(arm, baseline, condition, hasWords));
        boolean isFixed = Arrays.stream(figures(condition, FIXED)).anyMatch(seconds -> seconds > 0);
        for (Column column : COLUMNS.subList(0, COLUMNS.size() - (isFixed ? 0 : 1))) {
            table.number(column.head, arm -> {
                double median = forks.median(arm, condition, column.metric);
                return (isCensored(arm, condition, column.metric, median) ? "at least " : "") + number(median);
            });
        }
        text.append(table.of(arms));
        return text.append('\n').append(checks(condition)).toString();
    }

    /** Returns whether a longer measurement may show longer waits. */
    private boolean isCensored(String arm, Condition condition, String metric, double micros) {
        return metric.endsWith("9_us") && micros > forks.median(arm, condition, "seconds") * 1e6 / 2;
    }

    private String ratio(String arm, String baseline, Condition condition, boolean hasWords) {
        List<PairedRatio.Block> pairs = forks.pairs(arm, baseline, condition, Metric.THROUGHPUT);
        if (pairs.isEmpty()) {
            return "-";
        }
        Interval ratio = PairedRatio.of(pairs, Bootstrap.STANDARD);
        return ratio(ratio, pairs.size())
                + (hasWords && pairs.size() >= PairedRatio.FEWEST_BLOCKS ? Comparison.word(ratio) : "");
    }

    static String ratio(Interval ratio, int blocks) {
        if (blocks == 1) {
            return String.format(Locale.ROOT, "%.2f (one block)", ratio.mid());
        }
        return blocks < PairedRatio.FEWEST_BLOCKS
                ? String.format(
                        Locale.ROOT, "%.2f (%.2f to %.2f, %d blocks)", ratio.mid(), ratio.low(), ratio.high(), blocks)
                : ratio.text();
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%,.0f" : "%.2f", value);
    }

    private String checks(Condition condition) {
        List<String> checks = new ArrayList<>();
        range(checks, condition, "hold_us", "a hold took %s us");
        Arrays.stream(figures(condition, "batch"))
                .max()
                .ifPresent(batch -> checks.add(String.format(
                        Locale.ROOT,
                        "cycles are timed in groups of %.0f: each percentile is of the groups' means, and the longest"
                                + " wait is the time of a whole group",
                        batch)));
        range(checks, condition, "rtt_us", "the round trip was %s us without other requests");
        if (condition.rate() == 0) {
            double[] little = figures(condition, "little");
            long off = Arrays.stream(little)
                    .filter(each -> Math.abs(each - 1) > LITTLE)
                    .count();
            checks.add(String.format(
                    Locale.ROOT,
                    "in %d of %d forks, the product of throughput and mean time is within 10 %% of the number of"
                            + " callers (Little's law)",
                    little.length - off,
                    little.length));
            addArms(checks, condition, "little", median -> Math.abs(median - 1) > LITTLE, "LITTLE'S LAW DOES NOT HOLD");
        }
        double lost = Arrays.stream(figures(condition, "lost_uses")).sum();
        if (figures(condition, "lost_uses").length > 0) {
            checks.add(
                    lost == 0
                            ? "no object was lent to two callers at a time"
                            : "USES OF AN OBJECT BY TWO CALLERS AT A TIME: " + lost);
        }
        range(
                checks,
                condition,
                Metric.DRIFT,
                "throughput in the second half of a measurement was %s times that in the first");
        addArms(checks, condition, Metric.DRIFT, median -> median > Metric.MOST_DRIFT, "STILL WARMING UP");
        range(checks, condition, "hiccup_p99_us", "the 99th percentile of a sleeping thread's delay was %s us");
        return "Checks: " + String.join("; ", checks) + ".\n\n";
    }

    private void addArms(List<String> checks, Condition condition, String figure, DoublePredicate wrong, String text) {
        List<String> arms = forks.arms().stream()
                .filter(arm -> wrong.test(forks.median(arm, condition, figure)))
                .map(arm -> String.format(Locale.ROOT, "%s (%.2f)", arm, forks.median(arm, condition, figure)))
                .toList();
        if (!arms.isEmpty()) {
            checks.add(text + " for these arms (in parentheses the median of the ratio): " + String.join(", ", arms));
        }
    }

    private void range(List<String> checks, Condition condition, String metric, String text) {
        double[] figures = figures(condition, metric);
        if (figures.length == 0 || Arrays.stream(figures).allMatch(figure -> figure == 0)) {
            return;
        }
        String range = number(Sample.median(figures)) + " (median; "
                + number(Arrays.stream(figures).min().orElse(0)) + " to "
                + number(Arrays.stream(figures).max().orElse(0)) + ")";
        checks.add(String.format(Locale.ROOT, text, range));
    }

    private double[] figures(Condition condition, String metric) {
        return forks.all().stream()
                .filter(fork -> fork.key().condition().equals(condition))
                .mapToDouble((ForkResult fork) -> Metric.of(metric, fork))
                .filter(Double::isFinite)
                .toArray();
    }
}
