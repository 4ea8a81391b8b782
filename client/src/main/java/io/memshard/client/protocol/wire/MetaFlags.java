// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol.wire;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Flags of one meta request, without the opaque. The server processes them in the order of the request. {@code R}
 * precedes {@code T} to check the old time to live. {@code N} follows {@code T} to set the time to live of a new item.
 */
public final class MetaFlags {

    private static final String ORDER = "bRTNCEIMJDxuvfcthlsF";
    public static final MetaFlags NONE = new MetaFlags(new Object[ORDER.length()]);

    private static final Object NO_TOKEN = "";

    /** Exptime of an item that expires immediately: a unix time in 1970. */
    private static final int OVER_SINCE_1970 = 30 * 24 * 60 * 60 + 1;

    /** Tokens of the flags, in the order of {@link #ORDER}; null for a flag that is not set. */
    private final @Nullable Object[] tokens;

    private MetaFlags(@Nullable Object[] tokens) {
        this.tokens = tokens;
    }

    public MetaFlags with(String letters) {
        return map(letters, any -> NO_TOKEN);
    }

    /** Returns a copy with a flag, whose token is a number, a character, or an object for {@link #map}. */
    public MetaFlags with(char letter, Object token) {
        @Nullable Object[] changed = tokens.clone();
        changed[ORDER.indexOf(letter)] = token;
        return new MetaFlags(changed);
    }

    public MetaFlags without(String letters) {
        return map(letters, any -> null);
    }

    public MetaFlags map(UnaryOperator<Object> change) {
        return map(ORDER, token -> token == null ? null : change.apply(token));
    }

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

    public boolean has(char letter) {
        return token(letter) != null;
    }

    public @Nullable Object token(char letter) {
        return tokens[ORDER.indexOf(letter)];
    }

    public boolean joins() {
        return token('M') instanceof Character mode && (mode == 'A' || mode == 'P');
    }

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

    /** Returns {@code exptime}, but at most {@code seconds}, which is 1 to 2,592,000 (30 days). */
    public static int limited(int exptime, int seconds) {
        boolean isLonger = exptime == 0 || exptime > seconds;
        return isLonger && exptime != OVER_SINCE_1970 ? seconds : exptime;
    }
}
