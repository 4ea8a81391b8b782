// SPDX-License-Identifier: Apache-2.0
/**
 * The connections to a server as one: their array and the choosers over it.
 *
 * <p>Layer: above the client module, which it reaches through {@code CommandSender} and {@code Connection}; below
 * {@code io.memshard} and the template. Start reading at {@code ConnectionArray}.
 */
@NullMarked
package io.memshard.sharding;

import org.jspecify.annotations.NullMarked;
