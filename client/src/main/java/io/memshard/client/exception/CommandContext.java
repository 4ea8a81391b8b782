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
 */
public record CommandContext(
        String server,
        int connectionIndex,
        @Nullable String verb,
        @Nullable String key,
        Phase phase) {

    private static final int SHOWN_KEY_CHARS = 40;

    /** The context as it ends each message: {@code mg "user:1" on a:11211[2], awaiting reply}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (verb != null) {
            text.append(verb).append(' ');
        }
        if (key != null) {
            text.append('"').append(shorten(key)).append("\" ");
        }
        return text.append("on ")
                .append(server)
                .append('[')
                .append(connectionIndex)
                .append("], ")
                .append(phase)
                .toString();
    }

    /** The same context with another key. */
    CommandContext ofKey(String other) {
        return new CommandContext(server, connectionIndex, verb, other, phase);
    }

    static String shorten(String key) {
        return key.length() <= SHOWN_KEY_CHARS
                ? key
                : key.substring(0, SHOWN_KEY_CHARS) + "... (" + key.length() + " chars)";
    }
}
