// SPDX-License-Identifier: Apache-2.0
package io.memshard.foreign;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;

/**
 * Outcome of one operation on one server.
 *
 * @param kind in the table
 * @param message of the failure without addresses; empty if there is none
 */
record Outcome(Kind kind, String message) {

    /** Column of the table. */
    enum Kind {
        /** The result is that of the newest memcached. */
        OK,
        /** The client says which server has it, and the server is not harmed. */
        UNSUPPORTED,
        /** The server's own error, which the message has. */
        REFUSED,
        /** The connection ended, and the message says what to set or to call instead. */
        CLOSED,
        /** Anything else. */
        WRONG
    }

    /** What a message says that helps after a connection has ended. */
    private static final Pattern HELP =
            Pattern.compile("protocol\\(Protocol\\.CLASSIC\\)|no setting helps|the servers behind it");

    private static final Pattern ADDRESS = Pattern.compile("127\\.0\\.0\\.1:\\d+(\\[\\d+])?");

    private static final Pattern KEY = Pattern.compile("op\\d+-\\w+");

    private static final int LONGEST = 300;

    static final Outcome OK = new Outcome(Kind.OK, "");

    /** Returns the outcome of an operation that failed. */
    static Outcome of(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof ExecutionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof MemcachedUnsupportedException) {
            return new Outcome(Kind.UNSUPPORTED, oneLine(message));
        }
        if (cause instanceof MemcachedServerException) {
            return new Outcome(Kind.REFUSED, oneLine(message));
        }
        boolean ended = cause instanceof MemcachedConnectionException || cause instanceof MemcachedProtocolException;
        Kind kind = ended && HELP.matcher(message).find() ? Kind.CLOSED : Kind.WRONG;
        return new Outcome(kind, oneLine(cause instanceof MemcachedException ? message : cause.toString()));
    }

    /** Returns the message in one line, without what differs in each run. */
    private static String oneLine(String message) {
        String line = KEY.matcher(ADDRESS.matcher(message).replaceAll("SERVER")).replaceAll("KEY");
        line = line.replaceAll("\\s+", " ").strip();
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
    }
}
