// SPDX-License-Identifier: Apache-2.0
/**
 * Choosers of connections.
 *
 * <p>Layer: part of the API, above the client module; implemented in {@code cluster}. Start reading at
 * {@link io.memshard.sharding.ConnectionChooser}.
 */
@NullMarked
package io.memshard.sharding;

import org.jspecify.annotations.NullMarked;
