// SPDX-License-Identifier: Apache-2.0
/** Experiments on pools, queues and buffers within a process. Start reading at {@code PoolCycle}. */
@NullMarked
package io.memshard.bench.lab.pool;

import org.jspecify.annotations.NullMarked;
