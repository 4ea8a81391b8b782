// SPDX-License-Identifier: Apache-2.0
/**
 * A sender over several zones, each with a copy of the data.
 *
 * <p>Layer: above {@code copies}, below the entry point; its options are in {@code sharding.replica}. Start reading at
 * {@link io.memshard.sharding.copies.zones.Replicas}.
 */
@NullMarked
package io.memshard.sharding.copies.zones;

import org.jspecify.annotations.NullMarked;
