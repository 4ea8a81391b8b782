// SPDX-License-Identifier: Apache-2.0
/**
 * Results as Markdown tables, for the terminal and for the pages of the documentation.
 *
 * <p>Layer: above the result records, which it reads and nothing else. Start reading at {@link
 * io.memshard.bench.table.ComparisonTables}.
 */
@NullMarked
package io.memshard.bench.table;

import org.jspecify.annotations.NullMarked;
