// SPDX-License-Identifier: Apache-2.0
/**
 * Options and results of zones: a whole copy of the data in each, writes to all, and local reads first.
 *
 * <p>Layer: part of the API; implemented in {@code copies.zones}. Start reading at
 * {@link io.memshard.sharding.replica.ReplicaOptions}.
 */
@NullMarked
package io.memshard.sharding.replica;

import org.jspecify.annotations.NullMarked;
