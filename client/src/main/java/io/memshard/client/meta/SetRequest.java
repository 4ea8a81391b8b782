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

    /** Creates a request that stores {@code value} under {@code key} without expiry, whether or not the item exists. */
    public static <V> SetRequest<V> of(ItemKey key, V value) {
        return new SetRequest<>(key, value, MetaFlags.NONE);
    }

    @Override
    SetRequest<V> with(MetaFlags changed) {
        return new SetRequest<>(key(), value, changed);
    }

    /** Sets the item's time to live (flag {@code T}). An append or a prepend does not change it. */
    public SetRequest<V> ttl(Duration ttl) {
        return with('T', ttl);
    }

    /**
     * Stores the value only if the item does not exist (flag {@code M}). If several modes are set, the request has only
     * the last mode.
     */
    public SetRequest<V> adding() {
        return with('M', 'E');
    }

    /** Stores the value only if the item exists (flag {@code M}). */
    public SetRequest<V> replacing() {
        return with('M', 'R');
    }

    /** Appends to the item's value. The item's flags and time to live stay unchanged (flag {@code M}). */
    public SetRequest<V> appending() {
        return with('M', 'A');
    }

    /** Prepends to the item's value. The item's flags and time to live stay unchanged (flag {@code M}). */
    public SetRequest<V> prepending() {
        return with('M', 'P');
    }

    /** Stores the value only if the item still has {@code casUnique} (flag {@code C}). */
    public SetRequest<V> ifCas(long casUnique) {
        return withCas('C', casUnique);
    }

    /**
     * Stores the value as stale if the item is newer than the cas unique of {@link #ifCas} (flag {@code I}). The time
     * to live stays unchanged. The next caller that gets the item wins the item, unless a caller has already won.
     */
    public SetRequest<V> staleIfOlder() {
        return with("I");
    }

    /**
     * If an append or a prepend finds no item, creates the item with the time to live {@code ttl} (flag {@code N}).
     * Before memcached 1.6.20, a server ignores the flag, and stores nothing on a miss.
     */
    public SetRequest<V> vivify(Duration ttl) {
        return with('N', ttl);
    }

    /** Requests the item's new cas unique (flag {@code c}). */
    public SetRequest<V> returningCas() {
        return with("c");
    }

    /**
     * Requests the size of the stored value, also after an append (flag {@code s}). memcached 1.6.38 supports this
     * flag; 1.6.18 ignores the flag.
     */
    public SetRequest<V> returningSize() {
        return with("s");
    }

    V value() {
        return value;
    }
}
