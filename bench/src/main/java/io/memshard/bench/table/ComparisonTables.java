// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.table;

import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.result.Environment;
import io.memshard.bench.result.SliceResult.Figure;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Markdown tables of a comparison, and a list of the environment in which it was measured. Threading: stateless. */
public final class ComparisonTables {

    private ComparisonTables() {}

    /** Returns a table for each condition, with a line for each contender and all of its figures. */
    public static String details(ComparisonResult result) {
        StringBuilder text = new StringBuilder();
        MarkdownTable<ContenderSummary> table = table(result);
        result.summaries().stream()
                .collect(Collectors.groupingBy(ContenderSummary::condition, LinkedHashMap::new, Collectors.toList()))
                .forEach((condition, lines) ->
                        text.append("### " + condition.title() + "\n\n" + table.of(lines) + '\n'));
        return text.append(remarks(result)).toString();
    }

    private static MarkdownTable<ContenderSummary> table(ComparisonResult result) {
        ComparisonResult.Plan plan = result.plan();
        boolean words = hasVerdicts(result);
        return new MarkdownTable<ContenderSummary>()
                .text("contender", ContenderSummary::contender)
                .number("sockets", ContenderSummary::connections)
                .number("ratio to " + plan.baseline(), line -> ratio(line, plan.baseline(), words))
                .number("ops/s", line -> interval("%,.0f", line.throughput()))
                .number("client CPU us/op", "%.1f", ContenderSummary::cpuMicrosPerOperation)
                .number("server CPU us/op", line -> known("%.1f", line.serverCpuMicrosPerOperation()))
                .number("ops a core-second", line -> interval("%,.0f", line.perCoreSecond()))
                .number("p50 us", line -> micros(line, Figure.P50_US, plan))
                .number("p99 us", line -> micros(line, Figure.P99_US, plan))
                .number("p99.9 us", line -> micros(line, Figure.P999_US, plan))
                .number("longest us", line -> micros(line, Figure.MAX_US, plan))
                .number("Jain", line -> known("%.2f", line.get(Figure.JAIN)))
                .number("errors", "%.0f", line -> line.get(Figure.ERRORS))
                .number("timeouts", "%.0f", line -> line.get(Figure.TIMEOUTS))
                .number("wrong", "%.0f", line -> line.get(Figure.WRONG_VALUES));
    }

    /** Returns a time, after "{@code >=}" if it is more than half a slice: a call cannot last much longer than one. */
    private static String micros(ContenderSummary line, Figure figure, ComparisonResult.Plan plan) {
        double micros = line.get(figure);
        return (micros > plan.sliceMillis() * 500.0 ? ">= " : "") + format("%,.0f", micros);
    }

    /**
     * Returns one table with a line for each contender and a column for each condition. A cell holds the ratio of the
     * throughput to that of {@code baseline}, with its interval and verdict, and the client's CPU time for an
     * operation. A run on a busy machine, or one whose baseline differs from its second run, has no verdicts.
     *
     * @param only names of the contenders to show; empty for all
     * @throws IllegalArgumentException if {@code baseline} or a name of {@code only} did not take part
     */
    public static String ratios(ComparisonResult result, String baseline, List<String> only) {
        requireKnown(result.plan().contenders(), baseline);
        only.forEach(name -> requireKnown(result.plan().contenders(), name));
        boolean words = hasVerdicts(result);
        List<ContenderSummary> lines = result.summariesTo(baseline).stream()
                .filter(line -> only.isEmpty() || only.contains(line.contender()))
                .toList();
        List<Condition> conditions =
                lines.stream().map(ContenderSummary::condition).distinct().toList();
        boolean oneLoad =
                conditions.stream().map(Condition::loadTitle).distinct().count() == 1;
        var table = new MarkdownTable<Map.Entry<String, List<ContenderSummary>>>()
                .text("ratio to " + baseline, Map.Entry::getKey);
        for (Condition condition : conditions) {
            table.number(
                    oneLoad ? condition.callersTitle() : condition.title(),
                    row -> row.getValue().stream()
                            .filter(line -> line.condition().equals(condition))
                            .findFirst()
                            .map(line ->
                                    format("%s, %.1f us", ratio(line, baseline, words), line.cpuMicrosPerOperation()))
                            .orElse(""));
        }
        return table.of(rows(lines).entrySet()) + remarks(result);
    }

    /** Returns the remarks that a reader must know to judge the figures of a run. */
    private static String remarks(ComparisonResult result) {
        StringBuilder text = new StringBuilder();
        if (!result.environment().isMemcached()) {
            text.append("\n**NO MEMCACHED**: the server was the one for tests. Do not publish these figures.\n");
        }
        if (!result.hasIntervals()) {
            text.append("\n**One JVM**: no interval. How far another JVM would be off is not known.\n");
        }
        if (!result.plan().busy().isEmpty()) {
            text.append("\n**BUSY** at the start: ")
                    .append(result.plan().busy())
                    .append(".\n");
        }
        if (result.isNoisy()) {
            text.append("\n**NOISY**: ")
                    .append(result.plan().baseline())
                    .append(" raced against itself may differ by more than ")
                    .append(format("%.1f", ComparisonResult.NOISY))
                    .append(", or is not equal to itself. Read orders of magnitude only.\n");
        }
        return text.toString();
    }

    private static void requireKnown(List<String> known, String name) {
        if (!known.contains(name)) {
            throw new IllegalArgumentException(
                    "contender \"" + name + "\" did not take part; there are " + String.join(", ", known));
        }
    }

    /** Returns the lines by contender, and by number of connections for a contender with several numbers. */
    private static Map<String, List<ContenderSummary>> rows(List<ContenderSummary> lines) {
        Map<String, List<ContenderSummary>> rows = new LinkedHashMap<>();
        for (ContenderSummary line : lines) {
            rows.computeIfAbsent(line.label(lines, ", "), key -> new ArrayList<>())
                    .add(line);
        }
        return rows;
    }

    /** Returns whether the run allows a verdict: the machine was quiet, and the baseline equal to its second run. */
    private static boolean hasVerdicts(ComparisonResult result) {
        return result.plan().busy().isEmpty() && !result.isNoisy();
    }

    private static String ratio(ContenderSummary line, String baseline, boolean words) {
        Interval ratio = line.ratio();
        if (ratio == null) {
            return "-";
        }
        if (line.contender().equals(baseline)) {
            return "1";
        }
        String verdict = words ? ComparisonResult.verdict(ratio) : "";
        return interval("%.2f", ratio) + (verdict.isEmpty() ? "" : " " + verdict);
    }

    private static String interval(String format, Interval interval) {
        return Double.isNaN(interval.mid()) ? "-" : interval.text(format);
    }

    private static String known(String format, double figure) {
        return Double.isNaN(figure) ? "-" : format(format, figure);
    }

    /** Returns a list of the facts of the environment, and the command that repeats the comparison. */
    public static String environment(ComparisonResult result) {
        Environment facts = result.environment();
        ComparisonResult.Plan plan = result.plan();
        List<String> lines = List.of(
                format(
                        "%d JVMs, %d rounds of %d ms slices in shuffled order; %d keys; profile %s with a pool of %d",
                        plan.forks(), plan.rounds(), plan.sliceMillis(), plan.keys(), plan.profile(), plan.poolSize()),
                facts.get("started") + ", commit " + facts.commit(),
                facts.get("cpus") + " CPUs, " + facts.get("cpu_model") + "; " + facts.get("kernel"),
                facts.get("jdk") + "; " + facts.get("jvm_flags"),
                "memcached " + facts.get("server_version") + " at " + facts.get("server") + " ("
                        + facts.get("server_source") + ") " + facts.get("server_flags"),
                "99 of 100 sleeps beside the load were at most " + hiccups(result, Figure.HICCUP_P99_US)
                        + " us too long, the longest " + hiccups(result, Figure.HICCUP_MAX_US)
                        + " us (medians of the slices)",
                "load average " + facts.get("load_average") + " at the start; " + facts.get("steal")
                        + " of CPU time stolen by the host",
                "again: `" + facts.get("command") + "`");
        return lines.stream().map(line -> "- " + line.strip() + "\n").collect(Collectors.joining());
    }

    private static String hiccups(ComparisonResult result, Figure figure) {
        return known(
                "%,.0f",
                Sample.median(result.slices().stream()
                        .mapToDouble(slice -> slice.get(figure))
                        .filter(Double::isFinite)
                        .toArray()));
    }

    @SuppressWarnings("AnnotateFormatMethod") // The annotation is of a library that is not worth having for it.
    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values).replace(System.lineSeparator(), "\n");
    }
}
