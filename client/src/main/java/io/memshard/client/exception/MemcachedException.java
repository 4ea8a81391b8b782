// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * Superclass of all failures of commands, such as timeouts, lost connections and error replies.
 *
 * <p>Expected outcomes are not exceptions: a miss, a value not stored and a cas mismatch are return values. An illegal
 * argument throws an {@link IllegalArgumentException} before anything is sent. If one of many keys is illegal, the call
 * throws nothing: the result contains a {@link MemcachedIllegalKeyException} for this key.
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

    /** Changed only in a new copy, before any other thread sees the copy. */
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

    /** Returns the server, connection, verb, key and phase; null if the failure belongs to no single command. */
    public final @Nullable CommandContext context() {
        return context;
    }

    /**
     * Returns a copy for another key of the command, with the same cause and stack trace. Returns this exception if it
     * has no context, or already has the key.
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
     * Returns whether a retry is safe: true only if no byte of the command was written to a socket. The server then
     * cannot execute the command twice.
     */
    public boolean isSafeToRetry() {
        return context == null || context.phase() == Phase.QUEUED;
    }
}
