package io.memshard.client.meta;

import java.time.Duration;

/**
 * What a meta set stores, and when: {@code ms} with its flags.
 *
 * <p>Threading: immutable; each method gives a new request. The value is not copied.
 *
 * <p>Failure: a time to live that is negative or beyond memcached's clock is an {@link IllegalArgumentException}.
 *
 * <p>Protocol: protocol.txt, section "Meta Set".
 */
public final class SetRequest<V> extends MetaRequest<SetRequest<V>> {

    private final V value;

    private SetRequest(ItemKey key, V value, RequestFlags flags) {
        super("ms", key, flags);
        this.value = value;
    }

    /** Stores {@code value} under {@code key}, for ever and whatever is there. */
    public static <V> SetRequest<V> of(String key, V value) {
        return of(ItemKey.of(key), value);
    }

    /** Stores {@code value} under {@code key}, for ever and whatever is there. */
    public static <V> SetRequest<V> of(ItemKey key, V value) {
        return new SetRequest<>(key, value, RequestFlags.NONE);
    }

    @Override
    SetRequest<V> with(RequestFlags changed) {
        return new SetRequest<>(key(), value, changed);
    }

    /** {@code T}: lets the item live for {@code ttl}; zero never expires. Without effect on what is appended to. */
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
     * {@code I}, with {@link #ifCas}: where the item is newer than that, stores nevertheless, but as stale, with
     * the time to live the item had; the next to get it is the one to load it.
     */
    public SetRequest<V> staleIfOlder() {
        return with(flags().with('I'));
    }

    /**
     * {@code N}, with an appending mode: creates a missing item that lives for {@code ttl}; zero never expires. Since
     * memcached 1.6.20; before, the flag is looked past, which is a {@link
     * io.memshard.client.exception.MemcachedUnsupportedException} where there is no item.
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
    RequestFlags checkedFlags() {
        RequestFlags flags = flags();
        Object mode = flags.token('M');
        boolean appends =
                Character.valueOf('A').equals(mode) || Character.valueOf('P').equals(mode);
        if (flags.has('N') && !appends) {
            throw new IllegalArgumentException("vivify goes with mode APPEND or PREPEND: only those miss an item");
        }
        if (flags.has('I') && !flags.has('C')) {
            throw new IllegalArgumentException("staleIfOlder goes with ifCas: older than what?");
        }
        return flags;
    }
}
