package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The server sent what no reply to the command can be, so the connection was closed.
 *
 * <p>Nothing that came on the connection afterwards can be trusted; each command in flight on it
 * fails, none gets another's reply.
 */
public final class MemcachedProtocolException extends MemcachedException {

    /** A failure described by {@code message}, at {@code context}. */
    public MemcachedProtocolException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
