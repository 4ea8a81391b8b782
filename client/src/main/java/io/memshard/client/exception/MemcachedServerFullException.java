// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The connection could not be opened because the server has reached its limit of connections.
 *
 * <p>The command was not sent. The client continues its attempts to connect.
 */
public final class MemcachedServerFullException extends MemcachedConnectionException {

    public MemcachedServerFullException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
