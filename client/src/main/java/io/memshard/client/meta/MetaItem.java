// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.ValueCoder;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An item as a meta get found it.
 *
 * <p>It has the fields that the {@link GetRequest} asked for; the others throw {@link IllegalStateException}.
 *
 * <p>Threading: thread-safe, as immutable as its value.
 *
 * <p>Protocol: the return flags of protocol.txt, section "Meta Get".
 */
public final class MetaItem<V> {

    private final String key;
    private final MetaReply reply;

    /** Decodes the value; null after it did. Guarded by this, like the value. */
    private @Nullable ValueCoder<V> decoder;

    private @Nullable V value;

    /** An item whose value is decoded when it is first asked for. */
    MetaItem(String key, MetaReply reply, ValueCoder<V> coder) {
        this.key = key;
        this.reply = reply;
        this.decoder = coder;
    }

    /**
     * The decoded value; null if it was not requested, or if there is none yet ({@link #isPlaceholder()}).
     *
     * @throws MemcachedDecodingException if this caller has won the item and its old value cannot be decoded. A caller
     *     that has not won gets the exception from {@link MetaClient#get} instead
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

    /** The client flags, as an unsigned 32-bit number. */
    public int clientFlags() {
        return (int) ReplyFields.number(reply, 'f', "returning(ItemField.CLIENT_FLAGS)");
    }

    /** The cas unique, as an unsigned 64-bit number. */
    public long casUnique() {
        return ReplyFields.number(reply, 'c', "returning(ItemField.CAS)");
    }

    /** The remaining time to live, in seconds; empty if the item never expires. */
    public Optional<Duration> ttl() {
        return ReplyFields.ttl(reply, "returning(ItemField.TTL)");
    }

    /** The time since the last access before this one, in seconds. */
    public Duration sinceLastAccess() {
        return Duration.ofSeconds(ReplyFields.number(reply, 'l', "returning(ItemField.LAST_ACCESS)"));
    }

    /** Whether the item was hit since it was stored, before this time. */
    public boolean isHitBefore() {
        return ReplyFields.number(reply, 'h', "returning(ItemField.HIT_BEFORE)") != 0;
    }

    /** The size of the value in bytes, as it is stored. */
    public long sizeBytes() {
        return ReplyFields.number(reply, 's', "returning(ItemField.SIZE)");
    }

    /**
     * {@code W}: this caller has won the item: it alone has to load and store the value. A winner that does not store a
     * value must delete or invalidate the item. Otherwise no caller loads it until the claim expires.
     *
     * <p>Only a request that asks for {@link ItemField#CAS}, {@link GetRequest#vivify} or {@link
     * GetRequest#recacheBelow} can win. A stale item that another request has won is given back in the background.
     */
    public boolean isWon() {
        return reply.has('W');
    }

    /** {@code Z}: another caller has won the item and not stored it yet. */
    public boolean isWonByAnother() {
        return reply.has('Z') && !reply.has('W');
    }

    /** {@code X}: the item was invalidated; its value is the old one. */
    public boolean isStale() {
        return reply.has('X');
    }

    /**
     * Whether the item is empty and only holds the place of a value that a caller has to load. An empty value that is
     * being loaded again looks the same. False if the value was not requested.
     */
    public boolean isPlaceholder() {
        return reply.isPlaceholder();
    }

    /** The length of the value and the flags of the reply; neither key nor value. */
    @Override
    public String toString() {
        return "MetaItem[" + reply + ']';
    }
}
