// SPDX-License-Identifier: Apache-2.0
/**
 * Findings of a comparison: plain records, written as CSV files and read back to draw or to check it. The lowest layer
 * of this module; it knows no client, no thread and no clock.
 *
 * <p>Start reading at {@link io.memshard.bench.result.ComparisonResult}.
 */
@NullMarked
package io.memshard.bench.result;

import org.jspecify.annotations.NullMarked;
