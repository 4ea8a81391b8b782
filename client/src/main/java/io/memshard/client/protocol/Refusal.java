package io.memshard.client.protocol;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.ValueTooLargeException;

/**
 * A reply that refuses the command, with the connection left usable.
 *
 * @param kind what the refusal is about
 * @param text the server's line, or this side's words where the refusal is its own
 */
public record Refusal(Kind kind, String text) {

    private static final String SERVERS_FAULT = "SERVER_ERROR";

    /** Whether the server says that it took the command, and failed at it: {@code SERVER_ERROR}. */
    public boolean isServersFault() {
        return text.startsWith(SERVERS_FAULT);
    }

    /** The failure of the refused command. */
    public MemcachedException toException(CommandContext context) {
        return switch (kind) {
            case VALUE_TOO_LARGE -> new ValueTooLargeException(text, context, null);
            case UNSUPPORTED -> new MemcachedUnsupportedException(text, context, null);
            case SERVER_ERROR -> new MemcachedServerException("the server answered " + text, context, null);
        };
    }

    /** What a refusal is about. */
    public enum Kind {
        /** The value is above the server's or this client's limit. */
        VALUE_TOO_LARGE,
        /** The server is too old for what was asked of it. */
        UNSUPPORTED,
        /** Any other {@code ERROR}, {@code CLIENT_ERROR} or {@code SERVER_ERROR}. */
        SERVER_ERROR
    }
}
