// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The calling thread was interrupted while it waited; its interrupt flag is set again.
 *
 * <p>The connection stays as it is: the reply is read and dropped when it comes.
 */
public final class MemcachedInterruptedException extends MemcachedException {

    /** A failure described by {@code message}, at {@code context}. */
    public MemcachedInterruptedException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
