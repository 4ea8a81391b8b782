package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The command does not exist in the classic text protocol, which is all that the server speaks; nothing was
 * sent.
 *
 * <p>The message says what to do instead. Another server, or one without a proxy in between, may take it.
 */
public final class MemcachedUnsupportedException extends MemcachedException {

    /** A failure described by {@code message}, at {@code context}. */
    public MemcachedUnsupportedException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
