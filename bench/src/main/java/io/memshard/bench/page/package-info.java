// SPDX-License-Identifier: Apache-2.0
/**
 * Puts generated tables and charts into a page of the documentation.
 *
 * <p>Layer: below the command line, above tables, report and result records. Start reading at {@link
 * io.memshard.bench.page.ResultsPage}.
 */
@NullMarked
package io.memshard.bench.page;

import org.jspecify.annotations.NullMarked;
