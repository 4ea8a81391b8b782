// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.table;

import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.result.Environment;
import io.memshard.bench.result.Latency;
import io.memshard.bench.result.Quartiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A comparison as Markdown: tables, and a list of what it was measured with. Threading: stateless. */
public final class ComparisonTables {

    private ComparisonTables() {}

    /** A table for each condition, with a line for each contender and all of its figures. */
    public static String details(ComparisonResult result) {
        StringBuilder text = new StringBuilder();
        Map<Condition, List<ContenderSummary>> tables = result.summaries().stream()
                .collect(Collectors.groupingBy(ContenderSummary::condition, LinkedHashMap::new, Collectors.toList()));
        tables.forEach((condition, lines) -> table(text, result.plan(), condition, lines));
        return text.toString();
    }

    private static void table(
            StringBuilder text, ComparisonResult.Plan plan, Condition condition, List<ContenderSummary> lines) {
        text.append("### ").append(condition.title()).append("\n\n");
        text.append("| contender | sockets | ratio to ").append(plan.baseline());
        text.append(" (quartiles) | ops/s | client CPU us/op | p50 us | p99 us | p99.9 us")
                .append(" | errors | timeouts | wrong |\n");
        text.append("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
        for (ContenderSummary line : lines) {
            Latency latency = line.latency();
            text.append(format(
                    "| %s | %d | %s | %,.0f | %.1f | %s | %s | %s | %d | %d | %d |%n",
                    line.contender(),
                    line.connections(),
                    ratio(line.ratio()),
                    line.operationsPerSecond(),
                    line.cpuMicrosPerOperation(),
                    micros(latency.p50Micros(), plan),
                    micros(latency.p99Micros(), plan),
                    micros(latency.p999Micros(), plan),
                    line.errors(),
                    line.timeouts(),
                    line.wrongValues()));
        }
        text.append('\n');
    }

    /** A call cannot last longer than its slice by much, so a percentile near that length says "at least". */
    private static String micros(double micros, ComparisonResult.Plan plan) {
        return format(micros > plan.sliceMillis() * 500.0 ? ">= %,.0f" : "%,.0f", micros);
    }

    /**
     * One table with a line for each contender and a column for each condition. A cell holds the ratio of the
     * throughput to that of {@code baseline}, its quartiles, and the CPU time of the client for an operation.
     *
     * @param only names of the contenders that are shown; empty for all
     * @throws IllegalArgumentException if {@code baseline} or a name of {@code only} did not take part
     */
    public static String ratios(ComparisonResult result, String baseline, List<String> only) {
        List<String> known = result.plan().contenders();
        for (String name : only) {
            requireKnown(known, name);
        }
        requireKnown(known, baseline);
        List<ContenderSummary> lines = result.summariesTo(baseline).stream()
                .filter(line -> only.isEmpty() || only.contains(line.contender()))
                .toList();
        List<Condition> conditions =
                lines.stream().map(ContenderSummary::condition).distinct().toList();
        boolean oneLoad =
                conditions.stream().map(Condition::loadTitle).distinct().count() == 1;
        StringBuilder text = new StringBuilder("| ratio to ").append(baseline).append(" |");
        conditions.forEach(condition -> text.append(' ')
                .append(oneLoad ? condition.callersTitle() : condition.title())
                .append(" |"));
        text.append("\n|---|").append("--:|".repeat(conditions.size())).append('\n');
        rows(lines).forEach((label, row) -> {
            text.append("| ").append(label).append(" |");
            for (Condition condition : conditions) {
                text.append(' ').append(cell(row, condition)).append(" |");
            }
            text.append('\n');
        });
        if (result.isNoisy()) {
            text.append("\n**NOISY**: ")
                    .append(result.plan().baseline())
                    .append(" raced against itself differs by more than ")
                    .append(format("%.1f", ComparisonResult.NOISY))
                    .append(" in a quartile of this run. Read orders of magnitude only.\n");
        }
        return text.toString();
    }

    private static void requireKnown(List<String> known, String name) {
        if (!known.contains(name)) {
            throw new IllegalArgumentException(
                    "contender \"" + name + "\" did not take part; there are " + String.join(", ", known));
        }
    }

    /** The lines of each contender, and of each of its numbers of connections where there are several. */
    private static Map<String, List<ContenderSummary>> rows(List<ContenderSummary> lines) {
        Map<String, List<ContenderSummary>> rows = new LinkedHashMap<>();
        for (ContenderSummary line : lines) {
            boolean curve = lines.stream()
                    .anyMatch(other -> other.contender().equals(line.contender())
                            && other.condition().equals(line.condition())
                            && other.connections() != line.connections());
            String label = curve ? line.contender() + ", " + line.connections() : line.contender();
            rows.computeIfAbsent(label, key -> new ArrayList<>()).add(line);
        }
        return rows;
    }

    private static String cell(List<ContenderSummary> row, Condition condition) {
        return row.stream()
                .filter(line -> line.condition().equals(condition))
                .findFirst()
                .map(line -> format("%s, %.1f us", ratio(line.ratio()), line.cpuMicrosPerOperation()))
                .orElse("");
    }

    private static String ratio(@Nullable Quartiles ratio) {
        return ratio == null ? "-" : format("**%.2f** (%.2f to %.2f)", ratio.median(), ratio.lower(), ratio.upper());
    }

    /** Every cell in which another contender is ahead of Memshard with its defaults. */
    public static String losses(ComparisonResult result) {
        List<Loss> losses = Loss.of(result);
        if (losses.isEmpty()) {
            return "No other contender is ahead in any cell.\n";
        }
        StringBuilder text = new StringBuilder(
                "| load | measure | ahead | with | Memshard | with | factor |\n|---|---|---|--:|---|--:|--:|\n");
        for (Loss loss : losses) {
            text.append(format(
                    "| %s | %s | %s | %s | %s | %s | %.2f%s |%n",
                    loss.condition().title(),
                    loss.measure(),
                    loss.contender(),
                    figure(loss.theirs()),
                    loss.ours(),
                    figure(loss.our()),
                    loss.factor(),
                    loss.withinNoise() ? " (within noise)" : ""));
        }
        return text.toString();
    }

    private static String figure(double value) {
        return format(value < 100 ? "%.1f" : "%,.0f", value);
    }

    /** What the figures were measured with, and what to type to measure them again. */
    public static String environment(ComparisonResult result) {
        Environment environment = result.environment();
        ComparisonResult.Plan plan = result.plan();
        String flags = environment.serverFlags();
        return format(
                        "- %d rounds of %d ms slices in shuffled order; %d keys; profile %s with a pool of %d%n",
                        plan.rounds(), plan.sliceMillis(), plan.keys(), plan.profile(), plan.poolSize())
                + EnvironmentLines.machine(environment)
                + format(
                        "- memcached %s at %s (%s%s)%n",
                        environment.serverVersion(),
                        environment.server(),
                        environment.serverSource(),
                        flags == null ? "" : ": " + flags)
                + EnvironmentLines.load(environment);
    }

    @SuppressWarnings("AnnotateFormatMethod") // The annotation is of a library that is not worth having for it.
    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values).replace(System.lineSeparator(), "\n");
    }
}
