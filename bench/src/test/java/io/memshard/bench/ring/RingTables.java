// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import io.memshard.bench.result.Environment;
import io.memshard.bench.result.Quartiles;
import io.memshard.bench.table.MarkdownTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;

/** Figures of rings as Markdown tables with a line for each ring. Threading: stateless. */
public final class RingTables {

    /** The number of servers for which tables with one number are printed, if it was measured. */
    private static final int USUAL = 100;

    private static final String NOTHING = "-";

    private RingTables() {}

    /** Returns the number of {@code counts}, which ascend, for figures that are shown for one number only. */
    public static int usual(List<Integer> counts) {
        return counts.contains(USUAL) ? USUAL : counts.get(counts.size() - 1);
    }

    /** Figures that have a table. */
    public enum Kind {
        /** Evenness with which keys are spread. */
        BALANCE,
        /** Keys that a change moves. */
        MOVEMENT,
        /** Effect of weights. */
        WEIGHTS,
        /** Cost of finding a server. */
        LOOKUP,
        /** Cost of a locator. */
        BUILD
    }

    /** Returns all tables, each with a heading. */
    public static String all(RingResult result) {
        List<Integer> counts = result.servers(RingMeasure.MAX_OVER_MEAN);
        List<Integer> one = List.of(usual(counts));
        StringBuilder text = new StringBuilder();
        for (Kind kind : Kind.values()) {
            boolean single = kind == Kind.MOVEMENT || kind == Kind.WEIGHTS;
            text.append("### ")
                    .append(kind.name().charAt(0))
                    .append(kind.name().substring(1).toLowerCase(Locale.ROOT))
                    .append(single ? ", " + servers(one.get(0)) : "")
                    .append("\n\n")
                    .append(table(result, kind, single ? one : counts))
                    .append('\n');
        }
        return text.append(environment(result)).toString();
    }

    /**
     * One table.
     *
     * @param counts numbers of servers; empty for all that were measured
     * @throws IllegalArgumentException if one was not measured
     */
    public static String table(RingResult result, Kind kind, List<Integer> counts) {
        List<Integer> known = result.servers(RingMeasure.MAX_OVER_MEAN);
        for (int count : counts) {
            if (!known.contains(count)) {
                throw new IllegalArgumentException(servers(count) + " were not measured, but " + known);
            }
        }
        List<Integer> shown = counts.isEmpty() ? known : counts;
        List<Column> columns = new ArrayList<>();
        for (int count : shown) {
            switch (kind) {
                case BALANCE ->
                    columns.add(new Column(servers(count), (figures, ring) -> balance(figures, ring, count)));
                case MOVEMENT -> movement(columns, count);
                case WEIGHTS -> weights(columns, count);
                case LOOKUP -> lookup(columns, count, shown);
                case BUILD -> build(columns, count);
            }
        }
        return table(result, columns);
    }

    /** A column with its head, and what stands in it for a ring. */
    private record Column(String head, BiFunction<RingResult, String, String> cell) {

        static Column of(String head, int count, RingMeasure measure, String format, double factor) {
            return new Column(
                    head,
                    (result, ring) -> median(result, ring, count, measure)
                            .map(value -> format(format, value * factor))
                            .orElse(NOTHING));
        }
    }

    private static String table(RingResult result, List<Column> columns) {
        MarkdownTable<String> table = new MarkdownTable<String>().text("ring", ring -> "`" + ring + "`");
        columns.forEach(
                column -> table.number(column.head(), ring -> column.cell().apply(result, ring)));
        return table.of(result.rings());
    }

    private static String balance(RingResult result, String ring, int count) {
        return format(
                "%.2f to %.2f, %.1f %%",
                median(result, ring, count, RingMeasure.MIN_OVER_MEAN).orElseThrow(),
                median(result, ring, count, RingMeasure.MAX_OVER_MEAN).orElseThrow(),
                100 * median(result, ring, count, RingMeasure.DEVIATION).orElseThrow());
    }

    private static void movement(List<Column> columns, int count) {
        columns.add(change(
                format("added (%.2f %%)", 100.0 / (count + 1)),
                count,
                RingMeasure.ADDED_MOVED,
                RingMeasure.ADDED_ASTRAY));
        columns.add(change(
                format("removed (%.2f %%)", 100.0 / count),
                count,
                RingMeasure.REMOVED_MOVED,
                RingMeasure.REMOVED_ASTRAY));
        columns.add(change(
                format("replaced (%.2f %%)", 100.0 / count),
                count,
                RingMeasure.REPLACED_MOVED,
                RingMeasure.REPLACED_ASTRAY));
        columns.add(Column.of("other order (0 %)", count, RingMeasure.REORDERED_MOVED, "%.2f %%", 100));
        columns.add(Column.of("other IP address (0 %)", count, RingMeasure.READDRESSED_MOVED, "%.2f %%", 100));
    }

    private static void weights(List<Column> columns, int count) {
        columns.add(Column.of("weight 1: keys over due", count, RingMeasure.LIGHT_OVER_DUE, "%.3f", 1));
        columns.add(Column.of("weight 3: keys over due", count, RingMeasure.HEAVY_OVER_DUE, "%.3f", 1));
        // Of four servers, one has the weight 3.
        int heavy = count / 4;
        double total = count + 2.0 * heavy;
        columns.add(change(
                format("weight 3 added (%.2f %%)", 300 / (total + 3)),
                count,
                RingMeasure.HEAVY_ADDED_MOVED,
                RingMeasure.HEAVY_ADDED_ASTRAY));
        columns.add(change(
                format("weight 1 raised to 2 (%.2f %%)", 100 * (2 / (total + 1) - 1 / total)),
                count,
                RingMeasure.REWEIGHTED_MOVED,
                RingMeasure.REWEIGHTED_ASTRAY));
    }

    /** Times for each number of servers; what does not depend on that number for the last. */
    private static void lookup(List<Column> columns, int count, List<Integer> counts) {
        columns.add(time(servers(count) + ", ns", count, RingMeasure.LOOKUP_NS));
        if (count == counts.get(counts.size() - 1)) {
            int usual = usual(counts);
            columns.add(time("key of 200 B, " + servers(usual) + ", ns", usual, RingMeasure.LONG_LOOKUP_NS));
            columns.add(Column.of("allocated, bytes", usual, RingMeasure.LOOKUP_BYTES, "%,.0f", 1));
        }
    }

    private static void build(List<Column> columns, int count) {
        columns.add(time(servers(count) + ", us", count, RingMeasure.BUILD_US));
        columns.add(Column.of("bytes kept", count, RingMeasure.MEMORY_BYTES, "%,.0f", 1));
    }

    private static Column time(String head, int count, RingMeasure measure) {
        return new Column(
                head,
                (result, ring) -> result.quartiles(ring, count, measure)
                        .map(time ->
                                format("%s (%s to %s)", time(time.median()), time(time.lower()), time(time.upper())))
                        .orElse(NOTHING));
    }

    private static String time(double value) {
        return format(value < 10 ? "%.1f" : "%,.0f", value);
    }

    private static Column change(String head, int count, RingMeasure moved, RingMeasure astray) {
        return new Column(
                head,
                (result, ring) -> median(result, ring, count, moved)
                        .map(share -> format("%.2f %%", 100 * share)
                                + median(result, ring, count, astray)
                                        .filter(lost -> lost > 0)
                                        .map(lost -> format(", **%.2f %%**", 100 * lost))
                                        .orElse(""))
                        .orElse(NOTHING));
    }

    private static Optional<Double> median(RingResult result, String ring, int count, RingMeasure measure) {
        return result.quartiles(ring, count, measure).map(Quartiles::median);
    }

    private static String servers(int count) {
        return format("%,d servers", count);
    }

    /** Returns what the figures were measured with, and what to type to measure them again. */
    public static String environment(RingResult result) {
        Environment environment = result.environment();
        RingResult.Plan plan = result.plan();
        return format(
                        "- %,d keys a server, at least %,d; fleets: %d; %d rounds of %d ms of CPU time; seed %d%n",
                        plan.keysPerServer(),
                        plan.leastKeys(),
                        plan.fleets(),
                        plan.rounds(),
                        plan.sliceMillis(),
                        plan.seed())
                + environment.machineLines()
                + environment.loadLines();
    }

    @SuppressWarnings("AnnotateFormatMethod") // The annotation is of a library that is not worth having for it.
    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values).replace(System.lineSeparator(), "\n");
    }
}
