// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.argument.Exptime;
import io.memshard.client.protocol.wire.MetaFlags;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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

    static final RequestFlags NONE = new RequestFlags(new TreeMap<>());

    private static final Object NO_TOKEN = "";

    /** Tokens by position in the order: a Long, a Duration, a Character, or {@link #NO_TOKEN}. Never changed. */
    private final SortedMap<Integer, Object> tokens;

    private RequestFlags(SortedMap<Integer, Object> tokens) {
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
                    "casUnique is 0: no item has 0, unless the server runs without cas (memcached -C)");
        }
        return plus(letter, casUnique);
    }

    RequestFlags without(char letter) {
        SortedMap<Integer, Object> fewer = new TreeMap<>(tokens);
        fewer.remove(ORDER.indexOf(letter));
        return new RequestFlags(fewer);
    }

    private RequestFlags plus(char letter, Object token) {
        SortedMap<Integer, Object> more = new TreeMap<>(tokens);
        more.put(ORDER.indexOf(letter), token);
        return new RequestFlags(more);
    }

    boolean has(char letter) {
        return token(letter) != null;
    }

    @Nullable
    Object token(char letter) {
        return tokens.get(ORDER.indexOf(letter));
    }

    /**
     * Returns the flags as sent for {@code key}, with times to live as exptimes at the current time of {@code clock}.
     */
    MetaFlags toMetaFlags(ItemKey key, Clock clock) {
        MetaFlags flags = new MetaFlags();
        if (key.isBinary()) {
            flags.add('b');
        }
        for (Map.Entry<Integer, Object> entry : tokens.entrySet()) {
            char letter = ORDER.charAt(entry.getKey());
            Object token = entry.getValue();
            if (token instanceof Duration ttl) {
                flags.add(letter, Exptime.of(ttl, clock));
            } else if (token instanceof Long number) {
                flags.add(letter, number.longValue());
            } else if (token instanceof Character mode) {
                flags.add(letter, mode.charValue());
            } else {
                flags.add(letter);
            }
        }
        return flags;
    }

    /** Returns the flags, each after a space, with times to live as durations. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        tokens.forEach(
                (place, token) -> text.append(' ').append(ORDER.charAt(place)).append(token));
        return text.toString();
    }
}
