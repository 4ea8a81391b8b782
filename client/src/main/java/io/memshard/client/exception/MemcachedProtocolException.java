// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The server sent bytes that cannot be a reply to the command, or a reply that lacks a requested part.
 *
 * <p>After bytes that cannot be a reply, later bytes cannot be trusted either, so the connection is closed. Every
 * command in flight on the connection fails, so that no command gets the reply to another command. After a reply that
 * only lacks a part, the connection stays usable.
 */
public final class MemcachedProtocolException extends MemcachedException {

    public MemcachedProtocolException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
