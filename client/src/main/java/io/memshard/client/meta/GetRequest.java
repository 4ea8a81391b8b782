// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.argument.Exptime;
import io.memshard.client.protocol.MetaCommand.Verb;
import io.memshard.client.protocol.wire.MetaFlags;
import java.time.Clock;
import java.time.Duration;

/**
 * Request to read or touch an item: {@code mg} with its flags.
 *
 * <p>Protocol: protocol.txt, section "Meta Get".
 */
public final class GetRequest extends MetaRequest<GetRequest> {

    private GetRequest(ItemKey key, MetaFlags flags) {
        super(Verb.GET, key, flags);
    }

    /** Creates a request that reads the value under {@code key}. */
    public static GetRequest of(String key) {
        return of(ItemKey.of(key));
    }

    /**
     * Same as {@link #of(String)} with a binary key. The server must be memcached 1.6.10 or later.
     *
     * @param key 1 to 186 bytes, copied. A text key of the same bytes names the same item
     */
    public static GetRequest of(byte[] key) {
        return of(ItemKey.of(key));
    }

    private static GetRequest of(ItemKey key) {
        return new GetRequest(key, MetaFlags.NONE).returning(ItemField.VALUE);
    }

    @Override
    GetRequest with(MetaFlags changed) {
        return new GetRequest(key(), changed);
    }

    /** Reads exactly these fields; without fields, reads only whether the item exists. */
    public GetRequest returning(ItemField... fields) {
        MetaFlags requested = flags();
        for (ItemField field : ItemField.values()) {
            requested = requested.without(field.letters());
        }
        for (ItemField field : fields) {
            requested = requested.with(field.letters());
        }
        return with(requested);
    }

    /** Sets the item's time to live to {@code ttl} (flag {@code T}), unless {@link #vivify} creates the item. */
    public GetRequest touch(Duration ttl) {
        return with('T', ttl);
    }

    /**
     * Creates an empty item on a miss, with the time to live {@code ttl} (flag {@code N}). The caller that missed wins
     * the item ({@link MetaItem#isWon()}), and has to store the value.
     */
    public GetRequest vivify(Duration ttl) {
        return with('N', ttl);
    }

    /**
     * Makes the first caller win the item when its remaining time to live is below {@code remaining} (flag {@code R}).
     * This caller has to reload the value; see {@link MetaItem#isWon()}.
     *
     * @param remaining the remaining time to live, more than zero
     */
    public GetRequest recacheBelow(Duration remaining) {
        if (remaining.isZero()) {
            throw new IllegalArgumentException("remaining is zero, but must be more than zero");
        }
        Exptime.of("remaining", remaining, Clock.systemUTC());
        return with('R', remaining);
    }

    /** Leaves the item's LRU position, its last access and {@link ItemField#HIT_BEFORE} unchanged (flag {@code u}). */
    public GetRequest withoutBump() {
        return with("u");
    }

    /**
     * Omits the value if the item still has {@code casUnique} (flag {@code C}). The {@link MetaItem#value()} is then
     * null. Memcached 1.6.45 supports this flag; 1.6.38 ignores the flag and returns the value.
     */
    public GetRequest unlessCas(long casUnique) {
        return withCas('C', casUnique);
    }
}
