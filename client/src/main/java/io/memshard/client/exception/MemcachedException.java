// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * A command ended without the server's answer to it, or with an answer that is an error.
 *
 * <p>Expected outcomes are not exceptions: a miss, a value not stored and a cas mismatch are return values. An illegal
 * argument is an {@link IllegalArgumentException}, thrown before anything is sent. Only an illegal key among many is a
 * {@link MemcachedIllegalKeyException} in their result, so that the others are served.
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

    /** Set again only in a copy, by the thread that makes the copy, before any other thread has it. */
    private @Nullable CommandContext context;

    MemcachedException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, cause);
        this.context = context;
    }

    /** What happened, and then the context. */
    @Override
    public final String getMessage() {
        String what = String.valueOf(super.getMessage());
        return context == null ? what : what + ": " + context;
    }

    /** Server, connection, verb, key and phase; null if the failure came before any of them was known. */
    public final @Nullable CommandContext context() {
        return context;
    }

    /**
     * The same failure for another key of the command, so that each of many keys can have its own. Its cause and its
     * stack trace are the same; the trace is not filled again.
     *
     * @return this, if it is for that key already or for no command
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
     * Whether the command can be sent again without the risk of executing it twice. True only if no byte of it was
     * given to a socket.
     */
    public boolean isSafeToRetry() {
        return context == null || context.phase() == Phase.QUEUED;
    }
}
