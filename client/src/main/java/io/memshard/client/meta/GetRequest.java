// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.options.Exptime;
import java.time.Clock;
import java.time.Duration;

/**
 * What a meta get reads and does: {@code mg} with its flags.
 *
 * <p>Threading: immutable; each method returns a new request.
 *
 * <p>Failure: a time to live that is zero, negative or beyond memcached's clock is an {@link IllegalArgumentException}.
 *
 * <p>Protocol: protocol.txt, section "Meta Get".
 */
public final class GetRequest extends MetaRequest<GetRequest> {

    private GetRequest(ItemKey key, RequestFlags flags) {
        super("mg", key, flags);
    }

    /** Reads the value under {@code key}. */
    public static GetRequest of(String key) {
        return of(ItemKey.of(key));
    }

    /** Reads the value under {@code key}. */
    public static GetRequest of(ItemKey key) {
        return new GetRequest(key, RequestFlags.NONE).returning(ItemField.VALUE);
    }

    @Override
    GetRequest with(RequestFlags changed) {
        return new GetRequest(key(), changed);
    }

    /** Reads these fields and no others; without fields, only whether there is an item. */
    public GetRequest returning(ItemField... fields) {
        RequestFlags asked = flags();
        for (ItemField field : ItemField.values()) {
            for (char letter : field.letters().toCharArray()) {
                asked = asked.without(letter);
            }
        }
        for (ItemField field : fields) {
            for (char letter : field.letters().toCharArray()) {
                asked = asked.with(letter);
            }
        }
        return with(asked);
    }

    /**
     * {@code T}: sets the item's time to live to {@code ttl}. It does not apply to a vivified item.
     */
    public GetRequest touch(Duration ttl) {
        return with(flags().with('T', ttl));
    }

    /**
     * {@code N}: on a miss creates an empty item that lives for {@code ttl}, which this caller wins and has to fill:
     * {@link MetaItem#isWon()}.
     */
    public GetRequest vivify(Duration ttl) {
        return with(flags().with('N', ttl));
    }

    /**
     * {@code R}: the first caller that finds the item with less than {@code remaining} to live wins it, and has to load
     * it again: {@link MetaItem#isWon()}.
     *
     * @param remaining more than zero
     */
    public GetRequest recacheBelow(Duration remaining) {
        if (remaining.isZero()) {
            throw new IllegalArgumentException("remaining is zero: nothing is left of an item then");
        }
        Exptime.of("remaining", remaining, Clock.systemUTC());
        return with(flags().with('R', remaining));
    }

    /** {@code u}: leaves the item where it is in the LRU, and does not count as a hit or an access. */
    public GetRequest withoutBump() {
        return with(flags().with('u'));
    }

    /** {@code E}: the cas unique of an item that {@link #vivify} creates. Since memcached 1.6.27. */
    public GetRequest newCas(long casUnique) {
        return with(flags().withCas('E', casUnique));
    }
}
