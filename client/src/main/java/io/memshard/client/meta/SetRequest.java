// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import java.time.Duration;

/**
 * What a meta set stores, and when: {@code ms} with its flags.
 *
 * <p>Threading: immutable; each method returns a new request. The value is not copied.
 *
 * <p>Failure: a time to live that is zero, negative or beyond memcached's clock is an {@link IllegalArgumentException}.
 *
 * <p>Protocol: protocol.txt, section "Meta Set".
 */
public final class SetRequest<V> extends MetaRequest<SetRequest<V>> {

    private final V value;

    private SetRequest(ItemKey key, V value, RequestFlags flags) {
        super("ms", key, flags);
        this.value = value;
    }

    /** Stores {@code value} under {@code key}, for ever, whether or not there is an item. */
    public static <V> SetRequest<V> of(String key, V value) {
        return of(ItemKey.of(key), value);
    }

    /** Stores {@code value} under {@code key}, for ever, whether or not there is an item. */
    public static <V> SetRequest<V> of(ItemKey key, V value) {
        return new SetRequest<>(key, value, RequestFlags.NONE);
    }

    @Override
    SetRequest<V> with(RequestFlags changed) {
        return new SetRequest<>(key(), value, changed);
    }

    /** {@code T}: lets the item live for {@code ttl}. It has no effect on an append or prepend. */
    public SetRequest<V> ttl(Duration ttl) {
        return with(flags().with('T', ttl));
    }

    /** {@code M}: under which condition the value is stored, and where. */
    public SetRequest<V> mode(SetMode mode) {
        return with(
                switch (mode) {
                    case SET -> flags().without('M');
                    case ADD -> flags().with('M', 'E');
                    case REPLACE -> flags().with('M', 'R');
                    case APPEND -> flags().with('M', 'A');
                    case PREPEND -> flags().with('M', 'P');
                });
    }

    /** {@code C}: stores only if the item still has {@code casUnique}. */
    public SetRequest<V> ifCas(long casUnique) {
        return with(flags().withCas('C', casUnique));
    }

    /**
     * {@code I}, with {@link #ifCas}: if the item is newer than that, stores all the same, but as stale. The time to
     * live stays as it was. The next caller to get the item wins it, and has to load it.
     */
    public SetRequest<V> staleIfOlder() {
        return with(flags().with('I'));
    }

    /**
     * {@code N}, with an append or a prepend: creates a missing item that lives for {@code ttl}.
     * Since memcached 1.6.20. An older server ignores the flag, which is a {@link
     * io.memshard.client.exception.MemcachedUnsupportedException} if there is no item.
     */
    public SetRequest<V> vivify(Duration ttl) {
        return with(flags().with('N', ttl));
    }

    /** {@code E}: the cas unique that the item gets. Since memcached 1.6.27. */
    public SetRequest<V> newCas(long casUnique) {
        return with(flags().withCas('E', casUnique));
    }

    /** {@code c}: asks for the cas unique that the item got. */
    public SetRequest<V> returningCas() {
        return with(flags().with('c'));
    }

    V value() {
        return value;
    }

    @Override
    RequestFlags checkFlags() {
        RequestFlags flags = flags();
        Object mode = flags.token('M');
        boolean appends =
                Character.valueOf('A').equals(mode) || Character.valueOf('P').equals(mode);
        if (flags.has('N') && !appends) {
            throw new IllegalArgumentException("vivify goes with mode APPEND or PREPEND: only those need an item");
        }
        if (flags.has('I') && !flags.has('C')) {
            throw new IllegalArgumentException("staleIfOlder goes with ifCas: give the cas unique to compare with");
        }
        return flags;
    }
}
