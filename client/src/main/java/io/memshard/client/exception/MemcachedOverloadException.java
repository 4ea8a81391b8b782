// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The limit of commands in flight was reached, so the command failed at once and was not sent.
 *
 * <p>More connections, a higher limit or fewer concurrent callers help; waiting longer does not.
 */
public final class MemcachedOverloadException extends MemcachedException {

    /** A failure described by {@code message}, at {@code context}. */
    public MemcachedOverloadException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
