// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The calling thread was interrupted while waiting; the interrupt status of the thread is set again.
 *
 * <p>The connection is not affected: the reply is read and discarded when it arrives.
 */
public final class MemcachedInterruptedException extends MemcachedException {

    public MemcachedInterruptedException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }

    /** {@inheritDoc} Without a context the result is false, because a command may have been written. */
    @Override
    public boolean isSafeToRetry() {
        return context() != null && super.isSafeToRetry();
    }
}
