// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.argument.ValueCoder;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.transcoder.EncodedValue;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Item found by a meta get, with the fields that the {@link GetRequest} requested. Methods for other fields throw an
 * {@link IllegalStateException}, unless their javadoc names a default.
 *
 * <p>Threading: thread-safe; immutable if its value is immutable.
 *
 * <p>Protocol: protocol.txt, section "Meta Get".
 */
public final class MetaItem<V> {

    private final String key;
    private final MetaReply reply;

    /** Decoder of the value; null after the value is decoded. Guarded by this object. */
    private @Nullable ValueCoder<V> decoder;

    private @Nullable V value;

    MetaItem(String key, MetaReply reply, ValueCoder<V> coder) {
        this.key = key;
        this.reply = reply;
        this.decoder = coder;
    }

    /**
     * Returns the decoded value; null if the value was not requested, or does not exist yet ({@link #isPlaceholder()}).
     *
     * @throws MemcachedDecodingException if this caller has won the item, and the old value cannot be decoded. For
     *     other callers, {@link MetaClient#get} throws this exception
     */
    public synchronized @Nullable V value() {
        ValueCoder<V> coder = decoder;
        if (coder != null) {
            byte[] data = reply.data();
            if (data != null && !isPlaceholder()) {
                value = coder.decode(key, new EncodedValue(data, (int) reply.number('f')));
            }
            decoder = null;
        }
        return value;
    }

    /** Returns the client flags, as an unsigned 32-bit number. */
    public int clientFlags() {
        return (int) reply.requested('f', "returning(ItemField.CLIENT_FLAGS)");
    }

    /** Returns the cas unique, an unsigned 64-bit number; 0 if not requested, or if the server runs without cas. */
    public long casUnique() {
        return reply.number('c');
    }

    /** Returns the remaining time to live, in whole seconds; empty if the item never expires. */
    public Optional<Duration> ttl() {
        return WriteResult.ttl(reply.requested('t', "returning(ItemField.TTL)"));
    }

    /** Returns the time between the previous access and this access, in whole seconds. */
    public Duration sinceLastAccess() {
        return Duration.ofSeconds(reply.requested('l', "returning(ItemField.LAST_ACCESS)"));
    }

    /** Returns whether the item was hit after it was stored and before this access. */
    public boolean isHitBefore() {
        return reply.requested('h', "returning(ItemField.HIT_BEFORE)") != 0;
    }

    /** Returns the size of the stored value in bytes. */
    public long sizeBytes() {
        return reply.requested('s', "returning(ItemField.SIZE)");
    }

    /**
     * Returns whether this caller has won the item (flag {@code W}): only this caller has to load and store the value.
     * A winner that stores no value must delete or invalidate the item. Otherwise no other caller wins the item until
     * the item expires.
     *
     * <p>Returns true only for a request with {@link ItemField#CAS}, {@link GetRequest#vivify} or
     * {@link GetRequest#recacheBelow}. If the server sends {@code W} for any other request, the client marks the item
     * as stale again in the background.
     */
    public boolean isWon() {
        return reply.has('W');
    }

    /** Returns whether another caller has won the item, and has not stored the value yet (flag {@code Z}). */
    public boolean isWonByAnother() {
        return reply.has('Z') && !reply.has('W');
    }

    /** Returns whether the item was invalidated, so that the value is old (flag {@code X}). */
    public boolean isStale() {
        return reply.has('X');
    }

    /**
     * Returns whether the item is an empty placeholder for a value that a caller has to load. Also returns true for an
     * empty value that a caller has to reload. Returns false if the value was not requested.
     */
    public boolean isPlaceholder() {
        return reply.isPlaceholder();
    }

    /** Shows the length of the value and the flags of the reply, but neither key nor value. */
    @Override
    public String toString() {
        return "MetaItem[" + reply + ']';
    }
}
