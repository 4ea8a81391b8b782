// SPDX-License-Identifier: Apache-2.0
/**
 * Text of requests and replies: buffers, lines, keys and flags.
 *
 * <p>Layer: below the commands of {@code protocol}. Start reading at {@link
 * io.memshard.client.protocol.wire.ReplyBuffer}.
 */
@NullMarked
package io.memshard.client.protocol.wire;

import org.jspecify.annotations.NullMarked;
