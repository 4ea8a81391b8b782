package io.memshard.client.meta;

import io.memshard.client.options.Exptime;
import java.time.Clock;
import java.time.Duration;

/**
 * What a meta get asks for and does: {@code mg} with its flags.
 *
 * <p>Threading: immutable; each method gives a new request.
 *
 * <p>Failure: a time to live that is negative or beyond memcached's clock is an {@link IllegalArgumentException}.
 *
 * <p>Protocol: protocol.txt, section "Meta Get".
 */
public final class GetRequest extends MetaRequest<GetRequest> {

    private GetRequest(ItemKey key, RequestFlags flags) {
        super("mg", key, flags);
    }

    /** Asks for the value under {@code key}. */
    public static GetRequest of(String key) {
        return of(ItemKey.of(key));
    }

    /** Asks for the value under {@code key}. */
    public static GetRequest of(ItemKey key) {
        return new GetRequest(key, RequestFlags.NONE).returning(ItemField.VALUE);
    }

    @Override
    GetRequest with(RequestFlags changed) {
        return new GetRequest(key(), changed);
    }

    /** Asks for these fields and no others; with none, whether there is an item. */
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

    /** {@code T}: sets the item's time to live to {@code ttl}, zero for ever; not that of an item it vivifies. */
    public GetRequest touch(Duration ttl) {
        return with(flags().with('T', ttl));
    }

    /**
     * {@code N}: on a miss creates an empty item that lives for {@code ttl}, and makes this caller the one to fill
     * it: {@link MetaItem#isWon()}. Zero never expires, not even if nobody fills it.
     */
    public GetRequest vivify(Duration ttl) {
        return with(flags().with('N', ttl));
    }

    /**
     * {@code R}: makes the first caller who finds the item with less than {@code remaining} to live the one to load
     * it anew: {@link MetaItem#isWon()}.
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

    /** {@code E}: the cas unique that an item created by {@link #vivify} gets. Since memcached 1.6.27. */
    public GetRequest newCas(long casUnique) {
        return with(flags().withCas('E', casUnique));
    }
}
