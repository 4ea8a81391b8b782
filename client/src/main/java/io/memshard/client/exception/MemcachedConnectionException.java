// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The connection could not be opened, was lost or was closed by this client, or this client has ejected the server. If
 * the server has reached its limit of connections, the message says so.
 *
 * <p>Every command in flight on a lost connection fails with this exception. Unless {@link #isSafeToRetry()} returns
 * true, the server may or may not have executed the command.
 */
public sealed class MemcachedConnectionException extends MemcachedException permits MemcachedAuthenticationException {

    public MemcachedConnectionException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
