// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.scale;

import io.memshard.bench.result.Environment;
import io.memshard.bench.result.Quartiles;
import io.memshard.bench.table.MarkdownTable;
import java.util.List;
import java.util.Locale;

/** Figures of clients with many servers as a Markdown table with a line for each number. Threading: stateless. */
public final class ScaleTables {

    private static final double KIB = 1024;

    private ScaleTables() {}

    /** Returns the table, and what it was measured with. */
    public static String all(ScaleResult result) {
        return table(result) + '\n' + environment(result);
    }

    /** Returns a line for each number of servers. The first number is what gets are compared with. */
    public static String table(ScaleResult result) {
        List<Integer> counts = result.servers();
        int fewest = counts.get(0);
        return new MarkdownTable<Integer>()
                .number("servers", "%,d", count -> count)
                .number("sockets", "%,.0f", count -> median(result, count, ScaleMeasure.SOCKETS))
                .number("threads", "%,.0f", count -> median(result, count, ScaleMeasure.THREADS))
                .number(
                        "heap a server",
                        "%,.1f KiB",
                        count -> median(result, count, ScaleMeasure.HEAP_BYTES) / KIB / count)
                .number(
                        "direct memory a server",
                        "%,.1f KiB",
                        count -> median(result, count, ScaleMeasure.DIRECT_BYTES) / KIB / count)
                .number("a get waits", count -> get(result.quartiles(count, ScaleMeasure.GET_US)))
                .number("beside " + fewest, "%.2f", count -> besideFewest(result, count, fewest))
                .number("CPU of the caller", "%.1f us", count -> median(result, count, ScaleMeasure.GET_CPU_US))
                .number("allocated", "%,.0f B", count -> median(result, count, ScaleMeasure.GET_BYTES))
                .of(counts);
    }

    private static String get(Quartiles micros) {
        return format("%.1f us (%.1f to %.1f)", micros.median(), micros.lower(), micros.upper());
    }

    private static double median(ScaleResult result, int count, ScaleMeasure measure) {
        return result.quartiles(count, measure).median();
    }

    /** Returns the median over the rounds of the ratio within a round. */
    private static double besideFewest(ScaleResult result, int count, int fewest) {
        double[] ratios = result.figures().stream()
                .filter(figure -> figure.measure() == ScaleMeasure.GET_US && figure.servers() == count)
                .mapToDouble(figure -> figure.value() / sameRound(result, figure, fewest))
                .toArray();
        return Quartiles.of(ratios).median();
    }

    private static double sameRound(ScaleResult result, ScaleFigure of, int servers) {
        return result.figures().stream()
                .filter(figure -> figure.measure() == of.measure()
                        && figure.sample() == of.sample()
                        && figure.servers() == servers)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "round " + of.sample() + " has no figure of " + servers + " servers"))
                .value();
    }

    /** Returns what the figures were measured with, and what to type to measure them again. */
    public static String environment(ScaleResult result) {
        Environment environment = result.environment();
        ScaleResult.Plan plan = result.plan();
        return format(
                        "- connections to a server: %d; values of %,d B; %d rounds of %,d ms; seed %d\n",
                        plan.connections(), plan.valueSize(), plan.rounds(), plan.sliceMillis(), plan.seed())
                + format("- server: memcached %s, %s\n", environment.serverVersion(), environment.serverSource())
                + environment.machineLines()
                + environment.loadLines();
    }

    @SuppressWarnings("AnnotateFormatMethod") // The annotation is of a library that is not worth having for it.
    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
