// SPDX-License-Identifier: Apache-2.0
/**
 * Options of a client with zones. The client writes to all zones, and reads from its own zone first. Each zone has a
 * full copy of the data.
 *
 * <p>Layer: part of the API; implemented in {@code copies.zones}. Start reading at
 * {@link io.memshard.sharding.replica.ReplicaOptions}.
 */
@NullMarked
package io.memshard.sharding.replica;

import org.jspecify.annotations.NullMarked;
