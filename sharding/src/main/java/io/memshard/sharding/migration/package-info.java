// SPDX-License-Identifier: Apache-2.0
/**
 * Moving from one fleet or ring to another without a cold cache.
 *
 * <p>Layer: above {@code copies}, below the entry point. Start reading at
 * {@link io.memshard.sharding.migration.MigrationStage}.
 */
@NullMarked
package io.memshard.sharding.migration;

import org.jspecify.annotations.NullMarked;
