// SPDX-License-Identifier: Apache-2.0
/**
 * The entry point: {@link io.memshard.Memshard}, the clients of a server, and {@link io.memshard.SettingsBuilder},
 * their settings.
 *
 * <p>Layer: above {@code sharding} and the client module; below the template. Start reading at {@code Memshard}.
 */
@NullMarked
package io.memshard;

import org.jspecify.annotations.NullMarked;
