// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The connection could not be opened because the server rejected the credentials, or because it requires credentials
 * and none are set.
 *
 * <p>The command was not sent. The client tries to connect again at long intervals, and reads the credentials again for
 * each attempt. Neither the message nor the cause contains the password.
 */
public final class MemcachedAuthenticationException extends MemcachedConnectionException {

    public MemcachedAuthenticationException(
            String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
