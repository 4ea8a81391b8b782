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
 * What a client does about a command that ended without the server's answer. {@link #FAIL_FAST} is the default and
 * costs nothing.
 *
 * <p>No policy hides what the caller has to know. Every policy throws illegal arguments, interrupts, values above a
 * limit, and what the server does not support. Of many keys, an illegal one is a failure under each.
 *
 * <p>Of the methods of {@code meta()}, {@code get} and {@code debug} are reads, and all others are writes. A caller may
 * win the item by a get with {@code vivify} or {@code recacheBelow}. The server grants that once, so such a get is not
 * sent again after it was sent.
 *
 * <p>{@code getOrLoad} describes its own behaviour under each policy.
 */
public enum FailurePolicy {

    /** The failure is thrown, or completes the future. */
    FAIL_FAST,

    /**
     * A read ({@code get}, {@code gets}, {@code getAndTouch}, {@code multiGet}) that fails is a miss. Writes fail,
     * because readers would find an old value after a silently lost delete or set. {@code getOrLoad} loads.
     */
    TREAT_AS_MISS,

    /**
     * A command that failed because its connection was lost, could not be opened or was full is sent once more, at
     * once. This applies only if the server cannot execute it twice: to reads, and to commands that were never sent
     * ({@link MemcachedException#isSafeToRetry}). The second attempt waits for a connection that is being opened again,
     * and has the rest of the request timeout. Its failure is the result. If no time is left, there is none. A timeout
     * is not retried, because the caller's time is over. Rejected credentials are not retried either.
     */
    RETRY_ONCE_IF_SAFE;

    /** Whether a read with this failure is a miss. */
    public boolean isMiss(MemcachedException failure) {
        return this == TREAT_AS_MISS
                && !(failure instanceof MemcachedInterruptedException)
                && !(failure instanceof MemcachedValueTooLargeException)
                && !(failure instanceof MemcachedUnsupportedException)
                && !(failure instanceof MemcachedIllegalKeyException);
    }

    /** Whether a command with this failure is sent again. */
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
