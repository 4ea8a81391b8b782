package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * There is no connection because the server refused the credentials, or demands some and none are set.
 *
 * <p>Nothing was sent. Attempts go on, seldom, with the credentials read afresh for each. Neither the
 * message nor the cause has the password.
 */
public final class MemcachedAuthenticationException extends MemcachedConnectionException {

    /** A failure described by {@code message}, at {@code context}. */
    public MemcachedAuthenticationException(
            String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
