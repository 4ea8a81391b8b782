// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The server or the client cannot do what was requested.
 *
 * <p>The server is too old or speaks only the classic text protocol, or the client runs on another library than
 * Memshard. A blocking call on an event loop also fails in this way, because the event loop has to read the reply.
 *
 * <p>Nothing was changed, and the connection stays usable. The message names the version of memcached that supports the
 * request, or an alternative.
 */
public final class MemcachedUnsupportedException extends MemcachedException {

    /** Creates a failure that belongs to no single command. */
    public MemcachedUnsupportedException(String message) {
        super(message, null, null);
    }

    public MemcachedUnsupportedException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
