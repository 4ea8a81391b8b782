package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The server is too old for what was asked of it; the message says since which version of memcached it is there.
 *
 * <p>Nothing was done, and the connection stays usable.
 */
public final class MemcachedUnsupportedException extends MemcachedException {

    /** A failure described by {@code message}, at {@code context}. */
    public MemcachedUnsupportedException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
