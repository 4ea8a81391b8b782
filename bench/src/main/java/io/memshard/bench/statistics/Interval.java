// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

import java.util.Locale;

/** Figure {@code mid} with its 95 % interval, or with the quartiles of a sample. */
public record Interval(double low, double mid, double high) {

    public static final Interval UNKNOWN = new Interval(Double.NaN, Double.NaN, Double.NaN);

    public Interval {
        if (low > mid || mid > high) {
            throw new IllegalArgumentException(
                    "low, mid and high must be in ascending order, but are " + low + ", " + mid + " and " + high);
        }
    }

    public Interval exp() {
        return new Interval(Math.exp(low), Math.exp(mid), Math.exp(high));
    }

    public Interval inverse() {
        return new Interval(1 / high, 1 / mid, 1 / low);
    }

    public boolean isKnown() {
        return !Double.isNaN(low) && !Double.isNaN(high);
    }

    public String text() {
        return text("%.2f");
    }

    public String text(String format) {
        return isKnown()
                ? String.format(Locale.ROOT, format + " [" + format + ", " + format + "]", mid, low, high)
                : String.format(Locale.ROOT, format, mid);
    }
}
