// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.argument.Exptime;
import io.memshard.client.protocol.wire.MetaFlags;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Flags of a meta request. Times to live are still durations, because their form in the protocol depends on the clock.
 *
 * <p>Flags are always written in the same order, because the server processes them one by one. {@code R} is first
 * because it checks the old time to live. {@code T} is next, then {@code N}, which determines the time to live of an
 * item it creates. The other flags that change the item follow, and the flags that return something are last.
 *
 * <p>Threading: immutable.
 */
final class RequestFlags {

    private static final String ORDER = "RTNCEIMJDxuvfcthls";

    static final RequestFlags NONE = new RequestFlags(new Object[ORDER.length()]);

    private static final Object NO_TOKEN = "";

    /** Token of each letter of the order: a Long, a Duration, a Character or {@link #NO_TOKEN}; null if it is unset. */
    private final @Nullable Object[] tokens;

    private RequestFlags(@Nullable Object[] tokens) {
        this.tokens = tokens;
    }

    RequestFlags with(char letter) {
        return plus(letter, NO_TOKEN);
    }

    RequestFlags with(char letter, char token) {
        return plus(letter, token);
    }

    RequestFlags with(char letter, long unsigned) {
        return plus(letter, unsigned);
    }

    /** Returns the same flags with a time to live, which is checked. */
    RequestFlags with(char letter, Duration ttl) {
        Exptime.of(ttl, Clock.systemUTC());
        return plus(letter, ttl);
    }

    /** Returns the same flags with a cas unique, which is checked. */
    RequestFlags withCas(char letter, long casUnique) {
        if (casUnique == 0) {
            throw new IllegalArgumentException(
                    "casUnique is 0, which no item has, unless the server runs without cas (memcached -C)");
        }
        return plus(letter, casUnique);
    }

    RequestFlags without(char letter) {
        return has(letter) ? plus(letter, null) : this;
    }

    private RequestFlags plus(char letter, @Nullable Object token) {
        @Nullable Object[] changed = tokens.clone();
        changed[ORDER.indexOf(letter)] = token;
        return new RequestFlags(changed);
    }

    boolean has(char letter) {
        return token(letter) != null;
    }

    @Nullable
    Object token(char letter) {
        return tokens[ORDER.indexOf(letter)];
    }

    /**
     * Returns the flags as sent for {@code key}, with times to live as exptimes at the current time of {@code clock}.
     */
    MetaFlags toMetaFlags(ItemKey key, Clock clock) {
        MetaFlags flags = new MetaFlags();
        if (key.isBinary()) {
            flags.add('b');
        }
        for (int i = 0; i < tokens.length; i++) {
            char letter = ORDER.charAt(i);
            Object token = tokens[i];
            if (token instanceof Duration ttl) {
                flags.add(letter, Exptime.of(ttl, clock));
            } else if (token instanceof Long number) {
                flags.add(letter, number.longValue());
            } else if (token instanceof Character mode) {
                flags.add(letter, mode.charValue());
            } else if (token != null) {
                flags.add(letter);
            }
        }
        return flags;
    }

    /** Returns the flags, each after a space, with times to live as durations. */
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
}
