// SPDX-License-Identifier: Apache-2.0
/**
 * Experiments on pools, queues and buffers within a process. Layer: the same as that of the other experiments. Start
 * reading at {@link io.memshard.bench.lab.pool.PoolCycle}.
 */
@NullMarked
package io.memshard.bench.lab.pool;

import org.jspecify.annotations.NullMarked;
