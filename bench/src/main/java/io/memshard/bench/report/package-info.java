// SPDX-License-Identifier: Apache-2.0
/**
 * The report: a page with the data that it shows, and one chart, made from the files of a results folder. It reads the
 * records of {@code result} and {@code locks}; only the command line uses it.
 *
 * <p>Start reading at {@link io.memshard.bench.report.ReportRun}.
 */
@NullMarked
package io.memshard.bench.report;

import org.jspecify.annotations.NullMarked;
