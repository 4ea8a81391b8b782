// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

import io.memshard.client.exception.MemcachedAuthenticationException;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedIllegalKeyException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;

/**
 * Policy for commands that fail, for example because the server does not answer. {@link #FAIL_FAST} is the default.
 *
 * <p>Under every policy, a call fails for an illegal argument or key, an interrupt, a value above a limit, or an
 * unsupported operation.
 *
 * <p>The methods {@code get} and {@code debug} of {@code meta()} are reads, and all other methods of {@code meta()} are
 * writes. A get with {@code vivify} or {@code recacheBelow} is never sent twice, because the server asks only one
 * caller to load the item.
 *
 * <p>The javadoc of {@code LoadOptions} says how each policy changes {@code getOrLoad}.
 */
public enum FailurePolicy {

    /** A blocking call throws the failure, and an asynchronous call completes its future with the failure. */
    FAIL_FAST,

    /**
     * A failed read ({@code get}, {@code gets}, {@code getAndTouch}, {@code multiGet}) returns a miss. Writes still
     * fail: if a lost set or delete were ignored, later reads would return the old value. After a failed read,
     * {@code getOrLoad} calls its loader.
     */
    TREAT_AS_MISS,

    /**
     * A command is sent once more, at once, if its connection was lost, could not be opened or had reached its
     * in-flight limit. The second attempt is made only for reads, and for commands that were never sent
     * ({@link MemcachedException#isSafeToRetry}). The second attempt waits for a connection that is being reopened, for
     * at most the rest of the request timeout. If the second attempt fails, the call fails with the second failure.
     * Timeouts and rejected credentials are not retried.
     */
    RETRY_ONCE_IF_SAFE;

    /** Returns whether a read that failed with {@code failure} returns a miss. */
    public boolean isMiss(MemcachedException failure) {
        return this == TREAT_AS_MISS
                && !(failure instanceof MemcachedInterruptedException)
                && !(failure instanceof MemcachedValueTooLargeException)
                && !(failure instanceof MemcachedUnsupportedException)
                && !(failure instanceof MemcachedIllegalKeyException);
    }

    /** Returns whether a command that failed with {@code failure} is sent again. */
    public boolean isRetried(MemcachedException failure, boolean isRepeatable) {
        boolean mayWorkNow = failure instanceof MemcachedConnectionException
                || failure instanceof MemcachedProtocolException
                || failure instanceof MemcachedOverloadException;
        return this == RETRY_ONCE_IF_SAFE
                && mayWorkNow
                && !(failure instanceof MemcachedAuthenticationException)
                && (isRepeatable || failure.isSafeToRetry());
    }
}
