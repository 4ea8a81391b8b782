// SPDX-License-Identifier: Apache-2.0
/**
 * The experiment {@code pool-cycle}: what it costs to borrow something and to return it, and what grows with the
 * threads.
 *
 * <p>Layer: beside the other experiments. Start reading at {@link io.memshard.bench.lab.pool.PoolCycle}; each system is
 * an {@link io.memshard.bench.lab.pool.Pool}.
 */
@NullMarked
package io.memshard.bench.lab.pool;

import org.jspecify.annotations.NullMarked;
