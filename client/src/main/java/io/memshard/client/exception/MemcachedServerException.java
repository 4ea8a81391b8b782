// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The server answered with {@code ERROR}, {@code CLIENT_ERROR} or {@code SERVER_ERROR}. The connection stays usable.
 *
 * <p>Protocol: "Error strings" in memcached's protocol.txt.
 */
public final class MemcachedServerException extends MemcachedException {

    public MemcachedServerException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
