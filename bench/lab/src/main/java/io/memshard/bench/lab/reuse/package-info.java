// SPDX-License-Identifier: Apache-2.0
/**
 * The experiments {@code sync-pool} and {@code false-sharing}: objects that are used again instead of made anew, in
 * ways from one lock to a slot a processor.
 *
 * <p>Layer: beside the other experiments. Start reading at {@link io.memshard.bench.lab.reuse.SyncPool}.
 */
@NullMarked
package io.memshard.bench.lab.reuse;

import org.jspecify.annotations.NullMarked;
