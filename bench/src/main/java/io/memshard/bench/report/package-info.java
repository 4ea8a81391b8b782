// SPDX-License-Identifier: Apache-2.0
/**
 * The report: one self-contained HTML page and one chart, drawn from the files of a results
 * folder. Reads the records of {@code result} and {@code locks} and nothing else; nothing reads it but
 * the command line.
 *
 * <p>Start reading at {@link io.memshard.bench.report.ReportPage}; the drawing is in
 * {@link io.memshard.bench.report.LineChart}, {@link io.memshard.bench.report.DotChart} and
 * {@link io.memshard.bench.report.StackedBars}, over {@link io.memshard.bench.report.Markup}.
 */
@NullMarked
package io.memshard.bench.report;

import org.jspecify.annotations.NullMarked;
