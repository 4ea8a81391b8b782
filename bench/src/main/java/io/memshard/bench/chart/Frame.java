// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

/**
 * Text around a chart. Screen readers read {@code title} and {@code finding}. Threading: immutable.
 *
 * @param x name of the axis along the chart
 * @param y name of the vertical axis; empty if the rows have names
 */
public record Frame(String title, String finding, String x, String y) {

    /** Creates the frame of a chart whose rows have names. */
    public Frame(String title, String finding, String x) {
        this(title, finding, x, "");
    }
}
