package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The value exceeds the client's limit or the server's item size limit; the connection stays usable.
 *
 * <p>If the client rejects the value, nothing was sent. If the server rejects it ({@code SERVER_ERROR object too
 * large for cache}), the item's old value is gone too.
 */
public final class MemcachedValueTooLargeException extends MemcachedException {

    /** A failure described by {@code message}, at {@code context}. */
    public MemcachedValueTooLargeException(
            String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
