// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * There is no connection because the server rejected the credentials, or demands some and none are set.
 *
 * <p>The command was not sent. Attempts to connect go on at long intervals, each with credentials read afresh. Neither
 * the message nor the cause contains the password.
 */
public final class MemcachedAuthenticationException extends MemcachedConnectionException {

    /** A failure described by {@code message}, at {@code context}. */
    public MemcachedAuthenticationException(
            String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
