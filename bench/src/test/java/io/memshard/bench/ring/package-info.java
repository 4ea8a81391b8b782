// SPDX-License-Identifier: Apache-2.0
/**
 * Properties of the rings of the sharding module: how evenly they spread keys, which keys a change moves, what a
 * look-up costs. Needs no memcached.
 *
 * <p>Layer: above the result records and the machine. Start reading at {@link io.memshard.bench.ring.RingRun}.
 */
@NullMarked
package io.memshard.bench.ring;

import org.jspecify.annotations.NullMarked;
