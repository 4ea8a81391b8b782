// SPDX-License-Identifier: Apache-2.0
/**
 * Buffers for requests and replies, and rules for keys and flags. Layer: below the commands of {@code protocol}. Start
 * reading at {@code ReplyBuffer}.
 */
@NullMarked
package io.memshard.client.protocol.wire;

import org.jspecify.annotations.NullMarked;
