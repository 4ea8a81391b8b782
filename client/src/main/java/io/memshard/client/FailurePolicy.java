package io.memshard.client;

import io.memshard.client.exception.MemcachedAuthenticationException;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.ValueTooLargeException;

/**
 * What a client does about a command that ended without the server's answer. {@link #FAIL_FAST} is the default and
 * costs nothing; the others are views over it.
 *
 * <p>No policy hides what the caller has to know: illegal arguments, interrupts and values above a limit are
 * thrown under each. What {@code meta()} offers, and {@code getOrLoad} with it, fails fast under each too.
 */
public enum FailurePolicy {

    /** The failure is thrown, or completes the future. */
    FAIL_FAST,

    /**
     * A read ({@code get}, {@code gets}, {@code getAndTouch}, {@code getAll}) that fails is a miss. Writes fail: a
     * delete or a set that was silently lost would leave an old value to be read.
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
    boolean isMiss(MemcachedException failure) {
        return this == TREAT_AS_MISS
                && !(failure instanceof MemcachedInterruptedException)
                && !(failure instanceof ValueTooLargeException);
    }

    /** Whether a command that failed so is sent again. */
    boolean isRetried(MemcachedException failure, boolean isRead) {
        boolean mayWorkNow = failure instanceof MemcachedConnectionException
                || failure instanceof MemcachedProtocolException
                || failure instanceof MemcachedOverloadException;
        return this == RETRY_ONCE_IF_SAFE
                && mayWorkNow
                && !(failure instanceof MemcachedAuthenticationException)
                && (isRead || failure.isSafeToRetry());
    }
}
