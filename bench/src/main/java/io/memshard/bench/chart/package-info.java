// SPDX-License-Identifier: Apache-2.0
/**
 * Charts as separate SVG files, drawn by Lets-Plot.
 *
 * <p>Layer: above the statistics. Start reading at {@link io.memshard.bench.chart.LineChart}.
 */
@NullMarked
package io.memshard.bench.chart;

import org.jspecify.annotations.NullMarked;
