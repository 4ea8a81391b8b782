// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The server or the client cannot do what was requested.
 *
 * <p>The server is too old or speaks only the classic text protocol; or the client is over another engine.
 *
 * <p>Nothing was done, and the connection stays usable. The message says which version of memcached can do
 * it, or what to do instead.
 */
public final class MemcachedUnsupportedException extends MemcachedException {

    /** A failure described by {@code message}, at {@code context}. */
    public MemcachedUnsupportedException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
