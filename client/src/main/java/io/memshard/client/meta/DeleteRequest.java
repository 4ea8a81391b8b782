// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import java.time.Duration;

/**
 * What a meta delete deletes, and when: {@code md} with its flags.
 *
 * <p>Threading: immutable; each method returns a new request.
 *
 * <p>Failure: a time to live that is zero, negative or beyond memcached's clock is an {@link IllegalArgumentException}.
 *
 * <p>Protocol: protocol.txt, section "Meta Delete".
 */
public final class DeleteRequest extends MetaRequest<DeleteRequest> {

    private DeleteRequest(ItemKey key, RequestFlags flags) {
        super("md", key, flags);
    }

    /** Deletes the item under {@code key}. */
    public static DeleteRequest of(String key) {
        return of(ItemKey.of(key));
    }

    /** Deletes the item under {@code key}. */
    public static DeleteRequest of(ItemKey key) {
        return new DeleteRequest(key, RequestFlags.NONE);
    }

    @Override
    DeleteRequest with(RequestFlags changed) {
        return new DeleteRequest(key(), changed);
    }

    /** {@code C}: deletes only if the item still has {@code casUnique}. */
    public DeleteRequest ifCas(long casUnique) {
        return with(flags().withCas('C', casUnique));
    }

    /**
     * {@code I}: marks the item as stale instead, with a new cas unique. The next caller to get it wins it, and has to
     * load it again. All callers get the stale value until then.
     */
    public DeleteRequest invalidate() {
        return with(flags().with('I'));
    }

    /** {@code x}: deletes the value and the client flags, and leaves an empty item. Since memcached 1.6.27. */
    public DeleteRequest keepItem() {
        return with(flags().with('x'));
    }

    /** {@code T}, with {@link #invalidate} or {@link #keepItem}: how long the item lives after that. */
    public DeleteRequest ttl(Duration ttl) {
        return with(flags().with('T', ttl));
    }

    /** {@code E}, with {@link #invalidate} or {@link #keepItem}: its new cas unique. Since memcached 1.6.27. */
    public DeleteRequest newCas(long casUnique) {
        return with(flags().withCas('E', casUnique));
    }

    @Override
    RequestFlags checkFlags() {
        RequestFlags flags = flags();
        boolean leavesAnItem = flags.has('I') || flags.has('x');
        if (!leavesAnItem && (flags.has('T') || flags.has('E'))) {
            throw new IllegalArgumentException(
                    "ttl and newCas go with invalidate or keepItem: nothing is left of a deleted item");
        }
        return flags;
    }
}
