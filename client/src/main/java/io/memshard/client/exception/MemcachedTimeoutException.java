// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The caller's request timeout expired before the reply was complete.
 *
 * <p>The connection is not affected: the late reply is read and discarded when it arrives. Unless {@link
 * #isSafeToRetry()} returns true, the server may or may not have executed the command.
 */
public final class MemcachedTimeoutException extends MemcachedException {

    public MemcachedTimeoutException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }

    /** {@inheritDoc} Without a context the result is false, because a command may have been written. */
    @Override
    public boolean isSafeToRetry() {
        return context() != null && super.isSafeToRetry();
    }
}
