// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.protocol.MetaCommand.Verb;
import io.memshard.client.protocol.wire.MetaFlags;
import java.time.Duration;

/**
 * Request to delete or invalidate an item: {@code md} with its flags.
 *
 * <p>Protocol: protocol.txt, section "Meta Delete".
 */
public final class DeleteRequest extends MetaRequest<DeleteRequest> {

    private DeleteRequest(ItemKey key, MetaFlags flags) {
        super(Verb.DELETE, key, flags);
    }

    /** Creates a request that deletes the item under {@code key}. */
    public static DeleteRequest of(String key) {
        return of(ItemKey.of(key));
    }

    /**
     * Same as {@link #of(String)} with a binary key. The server must be memcached 1.6.10 or later.
     *
     * @param key 1 to 186 bytes, copied. A text key of the same bytes names the same item
     */
    public static DeleteRequest of(byte[] key) {
        return of(ItemKey.of(key));
    }

    private static DeleteRequest of(ItemKey key) {
        return new DeleteRequest(key, MetaFlags.NONE);
    }

    @Override
    DeleteRequest with(MetaFlags changed) {
        return new DeleteRequest(key(), changed);
    }

    /** Deletes the item only if it still has {@code casUnique} (flag {@code C}). */
    public DeleteRequest ifCas(long casUnique) {
        return withCas('C', casUnique);
    }

    /**
     * Marks the item as stale instead of deleting it, and gives it a new cas unique (flag {@code I}). The next caller
     * that gets the item wins the item ({@link MetaItem#isWon}), and has to reload the value. In the meantime, all
     * callers get the stale value.
     */
    public DeleteRequest invalidate() {
        return with("I");
    }

    /**
     * Deletes the value and client flags, and leaves an empty item (flag {@code x}). Requires memcached 1.6.27 or
     * later.
     */
    public DeleteRequest keepItem() {
        return with("x");
    }

    /** Sets the time to live of the item after {@link #invalidate} or {@link #keepItem} (flag {@code T}). */
    public DeleteRequest ttl(Duration ttl) {
        return with('T', ttl);
    }
}
