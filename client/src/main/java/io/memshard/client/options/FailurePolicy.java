package io.memshard.client.options;

import io.memshard.client.exception.MemcachedAuthenticationException;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;

/**
 * What a client does about a command that ended without the server's answer. {@link #FAIL_FAST} is the default and
 * costs nothing; the others are views over it.
 *
 * <p>No policy hides what the caller has to know: illegal arguments, interrupts, values above a limit and what the
 * server does not support are thrown under each.
 *
 * <p>Of {@code meta()}, {@code get} and {@code debug} are reads, all else are writes. A get with {@code vivify} or {@code
 * recacheBelow} may make its caller the one to load the item; the server does so once, so after such a get was sent it
 * is not sent again.
 *
 * <p>Of {@code getOrLoad}, see there.
 */
public enum FailurePolicy {

    /** The failure is thrown, or completes the future. */
    FAIL_FAST,

    /**
     * A read ({@code get}, {@code gets}, {@code getAndTouch}, {@code multiGet}) that fails is a miss. Writes fail: a
     * delete or a set that was silently lost would leave an old value to be read. {@code getOrLoad} loads.
     */
    TREAT_AS_MISS,

    /**
     * A command that a lost, refusing or full connection has failed is sent once more, at once, if that cannot execute
     * it twice: reads, and whatever was never sent ({@link MemcachedException#isSafeToRetry}). The second attempt
     * waits for a connection that is just being opened again, has the request timeout anew, and fails as it fails.
     * A timeout is not tried again, since the caller's time is over, nor is a refusal of the credentials.
     */
    RETRY_ONCE_IF_SAFE;

    /** Whether a read that failed so is a miss. */
    public boolean isMiss(MemcachedException failure) {
        return this == TREAT_AS_MISS
                && !(failure instanceof MemcachedInterruptedException)
                && !(failure instanceof MemcachedValueTooLargeException)
                && !(failure instanceof MemcachedUnsupportedException);
    }

    /** Whether a command that failed so is sent again. */
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
