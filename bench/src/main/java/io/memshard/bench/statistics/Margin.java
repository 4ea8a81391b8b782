// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

/**
 * Least difference that matters, set before the data: ratios within it count as equal. Threading: immutable.
 *
 * @param fraction above 0; 0.1 takes ratios from 1/1.1 to 1.1 for equal
 */
public record Margin(double fraction) {

    /**
     * Factor for the half of a 95 % interval that gives two-sided 95 % and a power of 80 %, both in standard errors.
     */
    private static final double POWER = (1.96 + 0.84) / 1.96;

    /** Position of an interval of ratios. */
    public enum Position {
        /** The whole interval is above the margin. */
        ABOVE,
        /** The whole interval is below the margin. */
        BELOW,
        /** The whole interval is within the margin. */
        EQUAL,
        /** The interval is in no other position: there is too little data. */
        UNKNOWN
    }

    /** Checks the fraction. */
    public Margin {
        if (!(fraction > 0)) {
            throw new IllegalArgumentException("a margin is above 0, such as 0.1, not " + fraction);
        }
    }

    /** Returns the least ratio that counts as ahead. */
    public double ratio() {
        return 1 + fraction;
    }

    /** Returns where {@code ratio} lies. */
    public Position of(Interval ratio) {
        if (ratio.low() > ratio()) {
            return Position.ABOVE;
        }
        if (ratio.high() < 1 / ratio()) {
            return Position.BELOW;
        }
        return ratio.low() >= 1 / ratio() && ratio.high() <= ratio() ? Position.EQUAL : Position.UNKNOWN;
    }

    /**
     * Returns the smallest ratio above 1 that four of five runs as precise as {@code seen} would show to be beyond the
     * margin (J. Cohen, "Statistical Power Analysis for the Behavioral Sciences", 1988, on the scale of logarithms).
     */
    public double smallestVisible(Interval seen) {
        return ratio() * Math.pow(Math.max(seen.mid() / seen.low(), seen.high() / seen.mid()), POWER);
    }
}
