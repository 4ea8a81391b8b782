// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * A limit was reached: the number of commands in flight, the bytes in flight, or the number of futures that cannot
 * complete because functions attached to other futures are slow. The command failed immediately and was not sent.
 *
 * <p>Use more connections, a higher limit or fewer concurrent callers; a longer timeout does not help.
 */
public final class MemcachedOverloadException extends MemcachedException {

    public MemcachedOverloadException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
