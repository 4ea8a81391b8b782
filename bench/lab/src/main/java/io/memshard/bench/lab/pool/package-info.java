// SPDX-License-Identifier: Apache-2.0
/**
 * The experiments on what is taken and put back within a process. {@code pool-cycle}: what it costs to borrow something
 * and to return it, and what grows with the threads. {@code queues}: one lock for both ends, two locks, or none, in the
 * two patterns in which memcached clients use a queue. {@code sync-pool} and {@code false-sharing}: objects that are
 * used again instead of made anew, in ways from one lock to a slot a processor.
 *
 * <p>Layer: beside the other experiments. Start reading at {@link io.memshard.bench.lab.pool.PoolCycle}, {@link
 * io.memshard.bench.lab.pool.Queues} and {@link io.memshard.bench.lab.pool.SyncPool}; each system is a {@link
 * io.memshard.bench.lab.pool.Pool} or a queue.
 */
@NullMarked
package io.memshard.bench.lab.pool;

import org.jspecify.annotations.NullMarked;
