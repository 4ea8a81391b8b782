// SPDX-License-Identifier: Apache-2.0
/**
 * Entry point: {@link io.memshard.Memshard} creates clients of one or many servers. {@link io.memshard.SettingsBuilder}
 * describes the settings. {@link io.memshard.ZonedMemshard} creates clients of several zones.
 * {@link io.memshard.MemshardMigration} creates clients of two fleets, for a move from one fleet to the other.
 *
 * <p>Layer: above {@code sharding} and the client module; below the template module. Start reading at {@code Memshard}.
 */
@NullMarked
package io.memshard;

import org.jspecify.annotations.NullMarked;
