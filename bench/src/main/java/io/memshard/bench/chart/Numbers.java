// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import java.util.Locale;

/** Formats of numbers for people, the same everywhere. Threading: stateless. */
public final class Numbers {

    private Numbers() {}

    /** Returns {@code value} with three significant digits, in thousands or millions if it is large: {@code 149 k}. */
    public static String compact(double value) {
        double size = Math.abs(value);
        if (size >= 1e6) {
            return significant(value / 1e6) + " M";
        }
        if (size >= 10_000) {
            return significant(value / 1e3) + " k";
        }
        return significant(value);
    }

    /**
     * Returns {@code value} with three significant digits and no exponent; from 100 on, a whole number with separators.
     */
    public static String significant(double value) {
        double size = Math.abs(value);
        if (size == 0) {
            return "0";
        }
        int decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    /** Returns {@code value} with two decimals: {@code 4.10}. */
    public static String ratio(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** Returns {@code value} for an axis, without trailing zeros: {@code 0.5}, {@code 20 k}. */
    public static String tick(double value) {
        if (Math.abs(value) >= 1e6) {
            return plain(value / 1e6) + " M";
        }
        return Math.abs(value) >= 10_000 ? plain(value / 1e3) + " k" : plain(value);
    }

    /** Returns {@code value} with at most one decimal, for the attributes of SVG. */
    public static String coordinate(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    private static String plain(double value) {
        String text = String.format(Locale.ROOT, "%,.3f", value);
        return text.replaceAll("\\.?0+$", "");
    }
}
