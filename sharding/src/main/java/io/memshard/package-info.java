// SPDX-License-Identifier: Apache-2.0
/**
 * Entry point: {@link io.memshard.Memshard} creates clients of one or many servers, and {@link
 * io.memshard.SettingsBuilder} has their settings. {@link io.memshard.ZonedMemshard} creates clients over several
 * zones. {@link io.memshard.MemshardMigration} creates clients over two fleets during a move.
 *
 * <p>Layer: above {@code sharding} and the client module; below the template. Start reading at {@code Memshard}.
 */
@NullMarked
package io.memshard;

import org.jspecify.annotations.NullMarked;
