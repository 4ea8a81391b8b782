// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.protocol.MetaCommand.Verb;
import io.memshard.client.protocol.wire.MetaFlags;
import java.time.Duration;

/**
 * Request to store a value: {@code ms} with its flags. The value is not copied.
 *
 * <p>Protocol: protocol.txt, section "Meta Set".
 */
public final class SetRequest<V> extends MetaRequest<SetRequest<V>> {

    private final V value;

    private SetRequest(ItemKey key, V value, MetaFlags flags) {
        super(Verb.SET, key, flags);
        this.value = value;
    }

    /** Creates a request that stores {@code value} under {@code key} without expiry, whether or not the item exists. */
    public static <V> SetRequest<V> of(String key, V value) {
        return of(ItemKey.of(key), value);
    }

    /**
     * Same as {@link #of(String, Object)} with a binary key. The server must be memcached 1.6.10 or later.
     *
     * @param key 1 to 186 bytes, copied. A text key of the same bytes names the same item
     */
    public static <V> SetRequest<V> of(byte[] key, V value) {
        return of(ItemKey.of(key), value);
    }

    private static <V> SetRequest<V> of(ItemKey key, V value) {
        return new SetRequest<>(key, value, MetaFlags.NONE);
    }

    @Override
    SetRequest<V> with(MetaFlags changed) {
        return new SetRequest<>(key(), value, changed);
    }

    /** Sets the item's time to live (flag {@code T}). An append or a prepend leaves the time to live unchanged. */
    public SetRequest<V> ttl(Duration ttl) {
        return with('T', ttl);
    }

    /**
     * Stores the value only if the item does not exist (flag {@code M}). Replaces an earlier {@code replacing},
     * {@code appending} or {@code prepending}.
     */
    public SetRequest<V> adding() {
        return with('M', 'E');
    }

    /** Stores the value only if the item exists (flag {@code M}). */
    public SetRequest<V> replacing() {
        return with('M', 'R');
    }

    /** Appends the value to the item's value (flag {@code M}). The item's flags and time to live stay unchanged. */
    public SetRequest<V> appending() {
        return with('M', 'A');
    }

    /** Prepends the value to the item's value (flag {@code M}). The item's flags and time to live stay unchanged. */
    public SetRequest<V> prepending() {
        return with('M', 'P');
    }

    /** Stores the value only if the item's cas unique is still {@code casUnique} (flag {@code C}). */
    public SetRequest<V> ifCas(long casUnique) {
        return withCas('C', casUnique);
    }

    /**
     * Stores the value as stale if the item's cas unique is higher than that of {@link #ifCas} (flag {@code I}). The
     * time to live stays unchanged. The next caller that gets the item wins the item, unless a caller has already won
     * it.
     */
    public SetRequest<V> staleIfOlder() {
        return with("I");
    }

    /**
     * If an append or a prepend finds no item, creates the item with the time to live {@code ttl} (flag {@code N}).
     * Servers before memcached 1.6.20 ignore the flag, and store nothing on a miss.
     */
    public SetRequest<V> vivify(Duration ttl) {
        return with('N', ttl);
    }

    /** Requests the item's new cas unique (flag {@code c}). */
    public SetRequest<V> returningCas() {
        return with("c");
    }

    /**
     * Requests the size of the stored value (flag {@code s}); after an append, the size of the joined value. memcached
     * 1.6.38 supports this flag, but memcached 1.6.18 ignores the flag.
     */
    public SetRequest<V> returningSize() {
        return with("s");
    }

    V value() {
        return value;
    }
}
