// SPDX-License-Identifier: Apache-2.0
/**
 * Sender over two fleets during a move of items from one fleet to the other.
 *
 * <p>Layer: above {@code copies}, below the entry point; the options are in {@code sharding.migration}. Start reading
 * at {@link io.memshard.sharding.copies.migration.Migration}.
 */
@NullMarked
package io.memshard.sharding.copies.migration;

import org.jspecify.annotations.NullMarked;
