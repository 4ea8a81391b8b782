// SPDX-License-Identifier: Apache-2.0
/**
 * The report: one self-contained HTML page and one chart, drawn from the files of a results
 * folder. Reads the records of {@code result} and {@code locks} and nothing else; nothing reads it but
 * the command line.
 *
 * <p>Start reading at {@link io.memshard.bench.report.ReportPage}.
 */
@NullMarked
package io.memshard.bench.report;

import org.jspecify.annotations.NullMarked;
