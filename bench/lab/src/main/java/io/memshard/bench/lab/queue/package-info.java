// SPDX-License-Identifier: Apache-2.0
/**
 * The experiment {@code queues}: one lock for both ends, two locks, or none, in the two patterns in which memcached
 * clients use a queue.
 *
 * <p>Layer: beside the other experiments. Start reading at {@link io.memshard.bench.lab.queue.Queues}.
 */
@NullMarked
package io.memshard.bench.lab.queue;

import org.jspecify.annotations.NullMarked;
