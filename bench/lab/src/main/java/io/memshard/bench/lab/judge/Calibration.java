// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.statistics.Bootstrap;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.Margin;
import io.memshard.bench.statistics.PairedRatio;
import io.memshard.bench.table.MarkdownTable;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Calibration of the judge: how often it errs, and which effects it detects. The judge gets pairs of arms that are
 * equal, and pairs with a planted effect. The noise of both is assumed, or drawn from the forks of a run.
 *
 * <p>Threading: immutable; the same seed gives the same answer.
 *
 * @param pairs number of pairs for each effect
 * @param blocks number of blocks in each pair
 * @param noise model of the noise of forks
 * @param margin largest difference that the judge ignores
 */
public record Calibration(int pairs, int blocks, ForkNoise noise, Margin margin) {

    /** Calibration that a page prints: 200 pairs of ten blocks with noise of a normal distribution. */
    public static final Calibration STANDARD = new Calibration(200, 10, ForkNoise.normal(0.25, 0.1), new Margin(0.05));

    /** Effects that are planted, as fractions; the first is none. */
    public static final List<Double> EFFECTS = List.of(0.0, 0.05, 0.15, 0.5);

    private static final Bootstrap BOOTSTRAP = new Bootstrap(1000, 7);

    /**
     * Shares of verdicts on the pairs of one effect.
     *
     * @param effect planted lead of the first arm, as a fraction
     * @param ahead share of pairs in which the judge found the first arm ahead by more than the margin
     * @param behind share of pairs in which the judge found the first arm behind by more than the margin
     * @param equal share of pairs in which the judge found the arms equal
     * @param covered share of intervals that hold the planted effect
     */
    public record Row(double effect, double ahead, double behind, double equal, double covered) {

        static Row of(double effect, List<Interval> pairs, Margin margin) {
            return new Row(
                    effect,
                    share(pairs, pair -> margin.of(pair) == Margin.Position.ABOVE),
                    share(pairs, pair -> margin.of(pair) == Margin.Position.BELOW),
                    share(pairs, pair -> margin.of(pair) == Margin.Position.EQUAL),
                    share(pairs, pair -> pair.contains(1 + effect)));
        }

        private static double share(List<Interval> pairs, Predicate<Interval> which) {
            return (double) pairs.stream().filter(which).count() / pairs.size();
        }
    }

    /** Returns a row for each of {@link #EFFECTS}. */
    public List<Row> rows(long seed) {
        List<Row> rows = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(seed);
        for (double effect : EFFECTS) {
            rows.add(row(effect, random.split()));
        }
        return rows;
    }

    private Row row(double effect, SplittableRandom random) {
        List<Interval> seen = new ArrayList<>();
        for (int pair = 0; pair < pairs; pair++) {
            List<PairedRatio.Block> data = new ArrayList<>();
            ToDoubleFunction<SplittableRandom> cell = noise.cell().apply(random);
            for (int block = 0; block < blocks; block++) {
                double level = noise.ofABlock().applyAsDouble(random);
                data.add(new PairedRatio.Block(
                        new double[] {level * (1 + effect) * cell.applyAsDouble(random)},
                        new double[] {level * cell.applyAsDouble(random), level * cell.applyAsDouble(random)}));
            }
            seen.add(PairedRatio.of(data, BOOTSTRAP));
        }
        return Row.of(effect, seen, margin);
    }

    /** Returns the rows as a Markdown table. */
    public static String table(List<Row> rows) {
        return new MarkdownTable<Row>("---:")
                .number("planted effect", "%.0f %%", row -> 100 * row.effect())
                .number("found ahead", "%.1f %%", row -> 100 * row.ahead())
                .number("found behind", "%.1f %%", row -> 100 * row.behind())
                .number("found equal", "%.1f %%", row -> 100 * row.equal())
                .number("interval holds the effect", "%.1f %%", row -> 100 * row.covered())
                .of(rows);
    }
}
