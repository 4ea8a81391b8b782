// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * A limit of the client was reached: the commands in flight, the bytes in flight, or the futures that wait to complete.
 * Futures wait when functions attached to other futures are slow. The command was not sent.
 *
 * <p>Use more connections, a higher limit or fewer concurrent callers; a longer timeout does not help.
 */
public final class MemcachedOverloadException extends MemcachedException {

    public MemcachedOverloadException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
