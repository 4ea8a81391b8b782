// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The caller's request timeout passed before the reply was complete.
 *
 * <p>The connection stays as it is: the late reply is read and dropped when it comes. Unless {@link
 * #isSafeToRetry()}, the server may or may not have executed the command.
 */
public final class MemcachedTimeoutException extends MemcachedException {

    /** A failure described by {@code message}, at {@code context}. */
    public MemcachedTimeoutException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
