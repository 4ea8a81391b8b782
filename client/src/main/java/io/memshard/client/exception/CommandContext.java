// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Server, connection, key and progress of a failed command, as part of a {@link MemcachedException}.
 *
 * <p>Threading: immutable.
 *
 * @param server the server as configured: {@code host:port}, preceded by the server's name if one was set
 * @param connectionIndex position of the connection among the connections to its server, from 0
 * @param verb the command's verb in memcached's protocol, such as {@code mg}; null if the failure belongs to no single
 *     command
 * @param key the command's whole key, which {@link #toString()} shortens
 * @param phase progress of the command when it failed
 * @param socket {@code event loop} for a socket of asynchronous calls and virtual threads, if other calls use separate
 *     sockets; null otherwise
 * @param hidesKey whether {@link #toString()} omits the key, as the client's settings require
 */
public record CommandContext(
        String server,
        int connectionIndex,
        @Nullable String verb,
        @Nullable String key,
        Phase phase,
        @Nullable String socket,
        boolean hidesKey)
        implements Serializable {

    private static final int SHOWN_KEY_CHARS = 40;

    /** Creates a context whose {@link #socket()} is null, and whose {@link #toString()} shows the key. */
    public CommandContext(
            String server, int connectionIndex, @Nullable String verb, @Nullable String key, Phase phase) {
        this(server, connectionIndex, verb, key, phase, null, false);
    }

    /** Returns the text that ends each message, such as {@code mg "user:1" on a:11211[2], awaiting reply}. */
    @Override
    public String toString() {
        return (verb == null ? "" : verb + ' ')
                + (key == null ? "" : shownKey() + ' ')
                + "on " + server + '[' + connectionIndex + ']'
                + (socket == null ? "" : ' ' + socket)
                + ", " + phase;
    }

    /** Returns the key as messages show it, in quotes. If the key is hidden or null, returns a text that says so. */
    public String shownKey() {
        if (key == null) {
            return "(no key)";
        }
        return hidesKey ? "(key hidden)" : '"' + shorten(key) + '"';
    }

    CommandContext ofKey(String other) {
        return new CommandContext(server, connectionIndex, verb, other, phase, socket, hidesKey);
    }

    static String shorten(String key) {
        StringBuilder shown = new StringBuilder();
        key.chars().limit(SHOWN_KEY_CHARS).forEach(c -> appendVisible((char) c, shown));
        return key.length() <= SHOWN_KEY_CHARS
                ? shown.toString()
                : shown.append("... (").append(key.length()).append(" chars)").toString();
    }

    /** Escapes characters that could forge a line of a log, such as line breaks. */
    private static void appendVisible(char c, StringBuilder shown) {
        switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                shown.append(String.format("\\u%04x", (int) c));
            default -> shown.append(c);
        }
    }
}
