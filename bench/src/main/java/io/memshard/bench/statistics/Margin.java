// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

/** Smallest difference that counts. With a fraction of 0.1, ratios from 1/1.1 to 1.1 count as equal. */
public record Margin(double fraction) {

    /** Smallest effect that 80 % of runs find at the level of 5 %. Its unit is half the length of a 95 % interval. */
    private static final double POWER = (1.96 + 0.84) / 1.96;

    public enum Position {
        ABOVE,
        BELOW,
        EQUAL,
        UNKNOWN
    }

    public Margin {
        if (!(fraction > 0)) {
            throw new IllegalArgumentException("fraction is " + fraction + ", but must be above 0, such as 0.1");
        }
    }

    public double ratio() {
        return 1 + fraction;
    }

    public Position of(Interval ratio) {
        if (ratio.low() > ratio()) {
            return Position.ABOVE;
        }
        if (ratio.high() < 1 / ratio()) {
            return Position.BELOW;
        }
        return ratio.low() >= 1 / ratio() && ratio.high() <= ratio() ? Position.EQUAL : Position.UNKNOWN;
    }

    /** Returns the smallest true ratio that 80 % of runs report as ABOVE, with intervals as wide as {@code seen}. */
    public double smallestVisible(Interval seen) {
        return ratio() * Math.pow(Math.max(seen.mid() / seen.low(), seen.high() / seen.mid()), POWER);
    }
}
