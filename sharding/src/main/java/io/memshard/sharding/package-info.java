// SPDX-License-Identifier: Apache-2.0
/**
 * Choosers of connections, and the topology of a client of many servers.
 *
 * <p>Layer: part of the API, above the client module; implemented in {@code cluster}. Start reading at {@link
 * io.memshard.sharding.ConnectionChooser}.
 */
@NullMarked
package io.memshard.sharding;

import org.jspecify.annotations.NullMarked;
