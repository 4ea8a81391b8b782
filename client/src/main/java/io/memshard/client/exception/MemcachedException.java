// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * Superclass of all failures of commands. For example, the server did not answer, or answered with an error.
 *
 * <p>Expected outcomes are not exceptions: a miss, a value not stored and a cas mismatch are return values. An illegal
 * argument is an {@link IllegalArgumentException}, thrown before anything is sent. Only an illegal key among many is
 * reported in the result, as a {@link MemcachedIllegalKeyException}, so that the other keys succeed.
 *
 * <p>Threading: immutable.
 */
public abstract sealed class MemcachedException extends RuntimeException implements Cloneable
        permits MemcachedTimeoutException,
                MemcachedOverloadException,
                MemcachedConnectionException,
                MemcachedProtocolException,
                MemcachedServerException,
                MemcachedInterruptedException,
                MemcachedValueTooLargeException,
                MemcachedUnsupportedException,
                MemcachedIllegalKeyException,
                MemcachedDecodingException,
                MemcachedReplicationException {

    /** Context of the failure. Changed only in a new copy, before any other thread sees the copy. */
    private @Nullable CommandContext context;

    MemcachedException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, cause);
        this.context = context;
    }

    /** Returns the description of the failure, followed by the context. */
    @Override
    public final String getMessage() {
        String what = String.valueOf(super.getMessage());
        return context == null ? what : what + ": " + context;
    }

    /**
     * Returns server, connection, verb, key and phase; null if the failure belongs to no single command on a
     * connection.
     */
    public final @Nullable CommandContext context() {
        return context;
    }

    /**
     * Returns the same failure for another key of the command, so that each of many keys can have its own failure.
     * Cause and stack trace stay the same.
     *
     * @return a copy for {@code key}; this exception if it already has that key or has no context
     */
    public MemcachedException ofKey(String key) {
        CommandContext known = context;
        if (known == null || key.equals(known.key())) {
            return this;
        }
        try {
            MemcachedException copy = (MemcachedException) clone();
            copy.context = known.ofKey(key);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Returns whether the command can be sent again without the risk of executing it twice. True only if no byte of the
     * command was written to a socket.
     */
    public boolean isSafeToRetry() {
        return context == null || context.phase() == Phase.QUEUED;
    }
}
