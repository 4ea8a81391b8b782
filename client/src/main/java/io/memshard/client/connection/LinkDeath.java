package io.memshard.client.connection;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.MalformedReplyException;

/** The failures that links end commands with: the same words whatever the transport. */
final class LinkDeath {

    private LinkDeath() {}

    /** What ends {@code exchange} when its link dies of {@code cause}. */
    static MemcachedException failure(Throwable cause, Exchange<?> exchange, Phase phase) {
        return cause instanceof MalformedReplyException
                ? new MemcachedProtocolException(
                        "connection closed after a reply that cannot be trusted (" + cause.getMessage() + ")",
                        exchange.context(phase),
                        cause)
                : new MemcachedConnectionException(
                        "connection lost (" + describe(cause) + ")", exchange.context(phase), cause);
    }

    /** What ends {@code exchange} when its link was full. */
    static MemcachedException overload(Exchange<?> exchange, int maxInFlight) {
        return new MemcachedOverloadException(
                "in-flight limit " + maxInFlight + " reached: raise maxInFlight or connectionsPerServer, or send less",
                exchange.context(Phase.QUEUED),
                null);
    }

    /** A cause in words, also where its message is empty. */
    static String describe(Throwable cause) {
        String message = cause.getMessage();
        return message == null || message.isEmpty() ? cause.getClass().getSimpleName() : message;
    }
}
