// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol.wire;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Flags of one meta request, without the opaque. A token, the value after a flag's letter, may first be an object such
 * as a time to live. {@link #map} replaces such an object.
 *
 * <p>Flags are always written in the same order, because the server processes them one by one. {@code R} comes before
 * the other flags that change the item, because it checks the old time to live. {@code T} is next, then {@code N},
 * which determines the time to live of an item it creates. The flags that return something are almost last.
 *
 * <p>This class knows which flags memcached introduced after the meta commands. An older server rejects a request with
 * such a flag, or ignores the flag.
 *
 * <p>Threading: immutable.
 */
public final class MetaFlags {

    private static final String ORDER = "bRTNCEIMJDxuvfcthlsF";

    /** Flags of a request that has no flags. */
    public static final MetaFlags NONE = new MetaFlags(new Object[ORDER.length()]);

    private static final Object NO_TOKEN = "";

    /** Unix time in 1970. An item with this exptime is already expired when it is stored. */
    private static final int OVER_SINCE_1970 = 30 * 24 * 60 * 60 + 1;

    /** Token of each letter of the order: a number, a Character or {@link #NO_TOKEN}; null if it is unset. */
    private final @Nullable Object[] tokens;

    private MetaFlags(@Nullable Object[] tokens) {
        this.tokens = tokens;
    }

    /** Returns the same flags and these letters, without tokens. */
    public MetaFlags with(String letters) {
        return map(letters, any -> NO_TOKEN);
    }

    /**
     * Returns the same flags and this flag.
     *
     * @param token an unsigned number, or a {@link Character} such as a mode
     */
    public MetaFlags with(char letter, Object token) {
        @Nullable Object[] changed = tokens.clone();
        changed[ORDER.indexOf(letter)] = token;
        return new MetaFlags(changed);
    }

    /** Returns the same flags without these letters. */
    public MetaFlags without(String letters) {
        return map(letters, any -> null);
    }

    /** Returns the same flags, but each token is replaced by what {@code change} returns for it. */
    public MetaFlags map(UnaryOperator<Object> change) {
        return map(ORDER, token -> token == null ? null : change.apply(token));
    }

    /**
     * Returns the same flags, but each time to live is capped, both of the item and of an item that is created on a
     * miss.
     */
    public MetaFlags withExptimesAtMost(int seconds) {
        return map("TN", token -> token instanceof Number exptime ? limited(exptime.intValue(), seconds) : token);
    }

    private MetaFlags map(String letters, UnaryOperator<@Nullable Object> change) {
        @Nullable Object[] changed = tokens.clone();
        for (int i = 0; i < letters.length(); i++) {
            int at = ORDER.indexOf(letters.charAt(i));
            changed[at] = change.apply(changed[at]);
        }
        return new MetaFlags(changed);
    }

    /** Returns whether the flags include a flag with this letter. */
    public boolean has(char letter) {
        return token(letter) != null;
    }

    /** Returns the token of a letter, as it was given; null if no flag has this letter. */
    public @Nullable Object token(char letter) {
        return tokens[ORDER.indexOf(letter)];
    }

    /** Returns whether there is no flag. */
    public boolean isEmpty() {
        return Arrays.stream(tokens).allMatch(Objects::isNull);
    }

    /** Appends all flags, each after a space. */
    public void append(RequestBuffer out) {
        for (int i = 0; i < tokens.length; i++) {
            Object token = tokens[i];
            if (token != null) {
                out.append(' ').append(ORDER.charAt(i));
            }
            if (token instanceof Number number) {
                out.appendUnsigned(number.longValue());
            } else if (token instanceof Character mode) {
                out.append(mode);
            }
        }
    }

    /**
     * Returns the flags that a server with meta commands may not know, each with the first memcached version that has
     * it.
     */
    public String requirements() {
        StringBuilder needs = new StringBuilder();
        need(needs, 'b', "(binary keys) needs memcached 1.6.10 or later");
        need(needs, 'E', "(explicit cas) needs memcached 1.6.27 or later");
        need(needs, 'x', "(delete that keeps the item) needs memcached 1.6.27 or later");
        return needs.isEmpty() ? "a later version of memcached is needed" : needs.toString();
    }

    private void need(StringBuilder needs, char letter, String what) {
        if (has(letter)) {
            needs.append(needs.isEmpty() ? "" : ", ").append(letter).append(' ').append(what);
        }
    }

    /** Returns the flags, each after a space. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < tokens.length; i++) {
            if (tokens[i] != null) {
                text.append(' ').append(ORDER.charAt(i)).append(tokens[i]);
            }
        }
        return text.toString();
    }

    /**
     * Returns {@code exptime}, capped so that the item lives for at most {@code seconds}. A unix time is replaced by
     * the cap, because a time within the cap would have been written in seconds. The exception is the unix time of an
     * item that is already expired.
     *
     * @param seconds the cap in seconds, from 1 to 2,592,000 (30 days)
     */
    public static int limited(int exptime, int seconds) {
        boolean isLonger = exptime == 0 || exptime > seconds;
        return isLonger && exptime != OVER_SINCE_1970 ? seconds : exptime;
    }
}
