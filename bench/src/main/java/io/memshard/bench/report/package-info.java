// SPDX-License-Identifier: Apache-2.0
/**
 * The report of a run as one HTML file, and the pictures of a comparison. Only the command line uses it.
 *
 * <p>Start reading at {@link io.memshard.bench.report.HtmlReport}.
 */
@NullMarked
package io.memshard.bench.report;

import org.jspecify.annotations.NullMarked;
