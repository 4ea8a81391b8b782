// SPDX-License-Identifier: Apache-2.0
/**
 * Sender over several copies of the data, which are zones or the two fleets of a move.
 *
 * <p>Layer: above {@code client.connection} and {@code client.protocol}, below {@code copies.zones} and
 * {@code copies.migration}. Start reading at {@link io.memshard.sharding.copies.ItemCopier}.
 */
@NullMarked
package io.memshard.sharding.copies;

import org.jspecify.annotations.NullMarked;
