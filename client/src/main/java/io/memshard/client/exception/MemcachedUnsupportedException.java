package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The server does not have what was asked of it: it is too old for it, or speaks only the classic text protocol.
 *
 * <p>Nothing was done, and the connection stays usable. The message says since which version of memcached it is
 * there, or what to do instead.
 */
public final class MemcachedUnsupportedException extends MemcachedException {

    /** A failure described by {@code message}, at {@code context}. */
    public MemcachedUnsupportedException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
