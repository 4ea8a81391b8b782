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
public abstract sealed class MemcachedException extends RuntimeException implements Cloneable
        permits MemcachedTimeoutException,
                MemcachedOverloadException,
                MemcachedConnectionException,
                MemcachedProtocolException,
                MemcachedServerException,
                MemcachedInterruptedException,
                MemcachedValueTooLargeException,
                MemcachedUnsupportedException,
                MemcachedDecodingException {

    /** Written once more in a copy, by the thread that makes it, before any other has it. */
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

    /** Server, connection, verb, key and phase; null where the failure came before any was known. */
    public final @Nullable CommandContext context() {
        return context;
    }

    /**
     * The same failure, of another of the command's keys: with the same cause and the same stack trace, which is not
     * filled again, so that of a command with many keys each can have its own.
     *
     * @return this, where it is of that key already or of no command
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
     * Whether the command can be sent again without the risk of executing it twice: true only while
     * no byte of it was given to a socket.
     */
    public boolean isSafeToRetry() {
        return context == null || context.phase() == Phase.QUEUED;
    }
}
