// SPDX-License-Identifier: Apache-2.0
/**
 * The experiments on objects that callers take and put back within a process. {@code pool-cycle}: the cost of a borrow
 * and a return, and its growth with the number of threads. {@code queues}: one lock for both ends, two locks, or none,
 * in the two patterns in which memcached clients use a queue. {@code sync-pool} and {@code false-sharing}: reused
 * objects instead of new ones, in designs from one lock to a slot for each processor.
 *
 * <p>Layer: the same as that of the other experiments. Start reading at {@link io.memshard.bench.lab.pool.PoolCycle},
 * {@link io.memshard.bench.lab.pool.Queues} and {@link io.memshard.bench.lab.pool.SyncPool}; each system is a {@link
 * io.memshard.bench.lab.pool.Pool} or a queue.
 */
@NullMarked
package io.memshard.bench.lab.pool;

import org.jspecify.annotations.NullMarked;
