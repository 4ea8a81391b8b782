// SPDX-License-Identifier: Apache-2.0
/**
 * Options and counters of a move from one fleet or ring to another, during which reads still find the items.
 *
 * <p>Layer: part of the API; implemented in {@code copies.migration}. Start reading at
 * {@link io.memshard.sharding.migration.MigrationStage}.
 */
@NullMarked
package io.memshard.sharding.migration;

import org.jspecify.annotations.NullMarked;
