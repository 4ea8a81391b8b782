// SPDX-License-Identifier: Apache-2.0
/**
 * Entry point: {@link io.memshard.Memshard}, the clients of one or many servers, and {@link
 * io.memshard.SettingsBuilder}, their settings. {@link io.memshard.ZonedMemshard} has the clients over several zones,
 * {@link io.memshard.MemshardMigration} those over two fleets during a move.
 *
 * <p>Layer: above {@code sharding} and the client module; below the template. Start reading at {@code Memshard}.
 */
@NullMarked
package io.memshard;

import org.jspecify.annotations.NullMarked;
