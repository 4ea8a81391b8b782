// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The server sent bytes that cannot be a reply to the command, so the connection was closed.
 *
 * <p>No later bytes on the connection can be trusted. Every command in flight on it fails, and none gets the reply of
 * another.
 */
public final class MemcachedProtocolException extends MemcachedException {

    /** Creates a failure with this message and context. */
    public MemcachedProtocolException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
