// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * Where and when a command failed: what every {@link MemcachedException} carries.
 *
 * <p>Threading: immutable.
 *
 * @param server the server as configured, {@code host:port}
 * @param connectionIndex position of the connection in its array, from 0
 * @param verb the command's verb in memcached's protocol, such as {@code mg}; null if the failure
 *     belongs to no single command
 * @param key the command's key, whole; shortened by {@link #toString()}
 * @param phase how far the command had come
 * @param socket which of two sockets of the connection, such as {@code event loop}; null for the first or only one
 * @param hidesKey whether {@link #toString()} leaves the key out, as the client was told to
 */
public record CommandContext(
        String server,
        int connectionIndex,
        @Nullable String verb,
        @Nullable String key,
        Phase phase,
        @Nullable String socket,
        boolean hidesKey) {

    private static final int SHOWN_KEY_CHARS = 40;

    /** A context that shows its key. */
    public CommandContext(
            String server, int connectionIndex, @Nullable String verb, @Nullable String key, Phase phase) {
        this(server, connectionIndex, verb, key, phase, null, false);
    }

    /** The context as it ends each message: {@code mg "user:1" on a:11211[2], awaiting reply}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (verb != null) {
            text.append(verb).append(' ');
        }
        if (key != null) {
            text.append(shownKey()).append(' ');
        }
        return text.append("on ")
                .append(server)
                .append('[')
                .append(connectionIndex)
                .append(socket == null ? "], " : "] " + socket + ", ")
                .append(phase)
                .toString();
    }

    /** The key as messages show it, in quotes; words in its place if it is hidden or there is none. */
    public String shownKey() {
        if (key == null) {
            return "(no key)";
        }
        return hidesKey ? "(key hidden)" : '"' + shorten(key) + '"';
    }

    /** The same context with another key. */
    CommandContext ofKey(String other) {
        return new CommandContext(server, connectionIndex, verb, other, phase, socket, hidesKey);
    }

    /** The key as messages show it: its first characters, on one line. */
    static String shorten(String key) {
        StringBuilder shown = new StringBuilder();
        key.chars().limit(SHOWN_KEY_CHARS).forEach(c -> appendVisible((char) c, shown));
        return key.length() <= SHOWN_KEY_CHARS
                ? shown.toString()
                : shown.append("... (").append(key.length()).append(" chars)").toString();
    }

    /** A key may have characters that begin a line or turn its direction, which would forge lines of a log. */
    private static void appendVisible(char c, StringBuilder shown) {
        switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                shown.append(String.format("\\u%04x", (int) c));
            default -> shown.append(c);
        }
    }
}
