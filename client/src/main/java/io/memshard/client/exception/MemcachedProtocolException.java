// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The server sent bytes that cannot be a reply to the command, so the connection was closed.
 *
 * <p>Nothing that came on the connection afterwards can be trusted. Every command in flight on it
 * fails, and none gets another's reply.
 */
public final class MemcachedProtocolException extends MemcachedException {

    /** A failure described by {@code message}, at {@code context}. */
    public MemcachedProtocolException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
