// SPDX-License-Identifier: Apache-2.0
/**
 * Sender over several zones, each of which has a copy of the data.
 *
 * <p>Layer: above {@code copies}, below the entry point; the options are in {@code sharding.replica}. Start reading at
 * {@link io.memshard.sharding.copies.zones.Replicas}.
 */
@NullMarked
package io.memshard.sharding.copies.zones;

import org.jspecify.annotations.NullMarked;
