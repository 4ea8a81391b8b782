// SPDX-License-Identifier: Apache-2.0
/**
 * Zones: a whole copy of the data in each, writes to all, and reads from one's own first.
 *
 * <p>Layer: above {@code copies}, below the entry point. Start reading at
 * {@link io.memshard.sharding.replica.ReplicaOptions}.
 */
@NullMarked
package io.memshard.sharding.replica;

import org.jspecify.annotations.NullMarked;
