// SPDX-License-Identifier: Apache-2.0
/**
 * Options of zones: a full copy of the data in each zone, writes to all zones, and reads from the client's own zone
 * first.
 *
 * <p>Layer: part of the API; implemented in {@code copies.zones}. Start reading at
 * {@link io.memshard.sharding.replica.ReplicaOptions}.
 */
@NullMarked
package io.memshard.sharding.replica;

import org.jspecify.annotations.NullMarked;
