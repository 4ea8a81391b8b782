package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * A command that ended without the server's answer to it, or with an answer that is an error.
 *
 * <p>Expected outcomes are no exceptions: a miss, a value not stored, a cas mismatch are return
 * values. Illegal arguments are {@link IllegalArgumentException}, thrown before anything is sent.
 *
 * <p>Threading: immutable.
 */
public abstract sealed class MemcachedException extends RuntimeException
        permits MemcachedTimeoutException,
                MemcachedOverloadException,
                MemcachedConnectionException,
                MemcachedProtocolException,
                MemcachedServerException,
                MemcachedInterruptedException,
                ValueTooLargeException,
                MemcachedDecodingException {

    private final @Nullable CommandContext context;

    MemcachedException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(context == null ? message : message + ": " + context, cause);
        this.context = context;
    }

    /** Server, connection, verb, key and phase; null where the failure came before any was known. */
    public final @Nullable CommandContext context() {
        return context;
    }

    /**
     * Whether the command can be sent again without the risk of executing it twice: true only while
     * no byte of it was given to a socket.
     */
    public boolean isSafeToRetry() {
        return context == null || context.phase() == Phase.QUEUED;
    }
}
