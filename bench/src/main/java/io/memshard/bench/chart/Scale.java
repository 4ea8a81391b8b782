// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import java.util.ArrayList;
import java.util.List;

/**
 * Maps values to positions along an axis, linearly or by their logarithm. Threading: immutable.
 *
 * @param low value at {@code from}
 * @param high value at {@code to}, above {@code low}
 * @param from position of {@code low}
 * @param to position of {@code high}; below {@code from} on an axis that points up
 * @param logarithmic by the logarithm; then {@code low} is above 0
 * @param ticks values with a grid line, ascending
 */
public record Scale(double low, double high, double from, double to, boolean logarithmic, List<Double> ticks) {

    private static final int MOST_TICKS = 6;
    private static final double[] STEPS = {1, 2, 5};

    /** Returns a scale from 0 to a round number at or above {@code greatest}. */
    public static Scale fromZero(double greatest, double from, double to) {
        double step = roundStep(Math.max(greatest, 1e-9) / MOST_TICKS);
        int steps = Math.max(1, (int) Math.ceil(greatest / step - 1e-9));
        List<Double> ticks = new ArrayList<>();
        for (int i = 0; i <= steps; i++) {
            ticks.add(i * step);
        }
        return new Scale(0, steps * step, from, to, false, ticks);
    }

    /**
     * Returns a scale from a round number at or below {@code least} to one at or above {@code greatest}, by logarithm.
     */
    public static Scale logarithmic(double least, double greatest, double from, double to) {
        List<Double> all = new ArrayList<>();
        double floor = Math.max(least, 1e-9);
        double ceiling = Math.max(greatest, floor);
        for (int exponent = (int) Math.floor(Math.log10(floor)) - 1; ; exponent++) {
            for (double step : STEPS) {
                all.add(step * Math.pow(10, exponent));
            }
            if (Math.pow(10, exponent) > ceiling) {
                break;
            }
        }
        double low = all.stream().filter(tick -> tick <= floor * 1.0000001).reduce(all.get(0), Math::max);
        double high = all.stream()
                .filter(tick -> tick >= ceiling * 0.9999999 && tick > low)
                .findFirst()
                .orElseThrow();
        List<Double> ticks =
                all.stream().filter(tick -> tick >= low && tick <= high).toList();
        // More would run into each other, so then only the powers of ten.
        List<Double> shown = ticks.size() <= 7
                ? ticks
                : ticks.stream().filter(Scale::isPowerOfTen).toList();
        return new Scale(low, high, from, to, true, shown);
    }

    /** Returns the position of {@code value}; values outside of the scale are drawn at its end. */
    public double at(double value) {
        double inside = Math.min(high, Math.max(low, value));
        double share = logarithmic ? Math.log(inside / low) / Math.log(high / low) : (inside - low) / (high - low);
        return from + share * (to - from);
    }

    /**
     * Moves positions apart until each is at least {@code gap} from the next. They keep their order, move as little as
     * possible, and stay between {@code least} and {@code most} if they fit.
     *
     * @param wanted ascending
     */
    static double[] spread(double[] wanted, double gap, double least, double most) {
        double[] placed = wanted.clone();
        for (int i = 0; i < placed.length; i++) {
            placed[i] = Math.max(placed[i], i == 0 ? least : placed[i - 1] + gap);
        }
        for (int i = placed.length - 1; i >= 0; i--) {
            placed[i] = Math.min(placed[i], i == placed.length - 1 ? most : placed[i + 1] - gap);
        }
        return placed;
    }

    private static double roundStep(double least) {
        double power = Math.pow(10, Math.floor(Math.log10(least)));
        for (double step : STEPS) {
            if (step * power >= least * 0.9999999) {
                return step * power;
            }
        }
        return 10 * power;
    }

    private static boolean isPowerOfTen(double value) {
        double exponent = Math.log10(value);
        return Math.abs(exponent - Math.rint(exponent)) < 1e-9;
    }
}
