/**
 * What a comparison found: plain records, written as {@code compare.json} and read back by whoever
 * draws or checks it. The lowest layer of this module; it knows no client, no thread and no clock.
 *
 * <p>Start reading at {@link io.memshard.bench.result.ComparisonResult}.
 */
@NullMarked
package io.memshard.bench.result;

import org.jspecify.annotations.NullMarked;
