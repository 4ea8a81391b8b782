// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.exception.MemcachedIllegalKeyException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Commands on items that every client has, even one that runs on a library other than Memshard. {@link MemcachedClient}
 * describes keys, times to live, results and operations on many keys, and adds the commands of Memshard's own clients.
 *
 * <p>Threading and failure: as in {@link MemcachedClient}.
 */
public interface ItemOperations<V> {

    /** Returns the value, or null on a miss. Protocol: {@code mg}. */
    @Nullable
    V get(String key);

    /** Returns the value and its cas unique, or null on a miss. Protocol: {@code mg} with {@code c}. */
    @Nullable
    CasValue<V> gets(String key);

    /** Returns the value, or null on a miss, and sets the item's time to live. Protocol: {@code mg} with {@code T}. */
    @Nullable
    V getAndTouch(String key, Duration ttl);

    /**
     * Reads many keys. Protocol: {@code mg} for each distinct key, or one {@code get} for 9 to 100 keys of a server.
     *
     * @param keys any number of keys; if empty, nothing is sent. An illegal key fails alone, with a {@link
     *     MemcachedIllegalKeyException}. A null key makes the call throw a {@link NullPointerException}
     * @return the value, the miss or the failure of each distinct key
     */
    MultiGetResult<V> multiGet(Collection<String> keys);

    /**
     * Stores many values, whether or not the items exist. Protocol: {@code ms} for each key, in quiet mode if more than
     * 8 values are sent together to a server.
     *
     * <p>In quiet mode the server may reject values without naming their keys. The client then sends the same values
     * again with a reply for each key, so values that were already stored are stored twice.
     *
     * @param values any number of values by key, with the same rules for keys as {@link #multiGet}; if empty, nothing
     *     is sent. All values are encoded before the first value is sent. If a value is too large, only its own key
     *     fails, and the item under this key is deleted as in {@link #set}
     * @return the keys whose values were stored, and the failures of the other keys
     */
    MultiSetResult multiSet(Map<String, ? extends V> values, Duration ttl);

    /**
     * Deletes many items. Protocol: {@code md} for each distinct key.
     *
     * @param keys any number of keys, with the same rules as {@link #multiGet}; if empty, nothing is sent
     * @return the keys whose items existed, the keys without an item, and the failures of the other keys
     */
    MultiDeleteResult multiDelete(Collection<String> keys);

    /**
     * Stores the value, whether or not the item exists. Protocol: {@code ms}.
     *
     * <p>If the value is too large for the client or the server, the call throws a
     * {@link io.memshard.client.exception.MemcachedValueTooLargeException}. The item is then deleted, because its old
     * value is obsolete.
     *
     * <p>A proxy that accepts no writes may answer {@code NOT_STORED}, {@code EXISTS} or {@code NOT_FOUND}. The call
     * then throws a {@link io.memshard.client.exception.MemcachedServerException}, and the old value stays.
     */
    void set(String key, V value, Duration ttl);

    /**
     * Stores the value only if the item does not exist. Returns whether the value was stored. Protocol: {@code ms},
     * mode add.
     */
    boolean add(String key, V value, Duration ttl);

    /**
     * Stores the value only if the item exists. Returns whether the value was stored. Protocol: {@code ms}, mode
     * replace.
     */
    boolean replace(String key, V value, Duration ttl);

    /**
     * Appends the encoded value to the bytes of the item. Protocol: {@code ms}, mode append.
     *
     * @return whether the value was appended; false if the item does not exist, or if the result would exceed the
     *     server's item size limit. The server's reply does not distinguish the two cases
     * @throws MemcachedUnsupportedException if the transcoder is not {@linkplain Transcoder#isAppendable appendable},
     *     for example because it compresses; nothing is sent
     */
    boolean append(String key, V value);

    /** Same as {@link #append}, but prepends. Protocol: {@code ms}, mode prepend. */
    boolean prepend(String key, V value);

    /**
     * Stores the value only if the item still has {@code casUnique}. Protocol: {@code ms} with {@code C}.
     *
     * @param casUnique the cas unique that {@link #gets} returned. The value 0, which servers without cas ({@code -C})
     *     return, throws an {@link IllegalArgumentException}
     */
    CasResult cas(String key, V value, long casUnique, Duration ttl);

    /** Deletes the item. Returns whether the item existed. Protocol: {@code md}. */
    boolean delete(String key);

    /**
     * Adds {@code delta} to the decimal number in the item, wrapping at 2^64. Protocol: {@code ma}.
     *
     * @param delta 0 or more; a negative delta throws an {@link IllegalArgumentException}
     * @return the new number, unsigned; empty on a miss
     */
    OptionalLong incr(String key, long delta);

    /**
     * Same as {@link #incr(String, long)}, but creates a missing item with {@code initial} and returns {@code initial}.
     * Protocol: {@code ma} with {@code N} and {@code J}; not in the classic text protocol.
     */
    long incr(String key, long delta, long initial, Duration ttl);

    /**
     * Subtracts {@code delta} from the decimal number in the item, stopping at 0. Protocol: {@code ma}, mode decrement.
     *
     * @param delta 0 or more; a negative delta throws an {@link IllegalArgumentException}
     */
    OptionalLong decr(String key, long delta);

    /**
     * Same as {@link #decr(String, long)}, but creates a missing item with {@code initial} and returns {@code initial}.
     * Protocol: {@code ma} in mode decrement with {@code N} and {@code J}; not in the classic text protocol.
     */
    long decr(String key, long delta, long initial, Duration ttl);

    /** Sets the time to live. Returns whether the item existed. Protocol: {@code mg} with {@code T} and no value. */
    boolean touch(String key, Duration ttl);

    /** Returns the server's version, such as {@code 1.6.18}. Protocol: {@code version}. */
    String version();

    /** Returns a client over the same connections with another transcoder. */
    <W> ItemOperations<W> withTranscoder(Transcoder<W> transcoder);

    /**
     * Returns a client over the same connections with another request timeout. For a single call, write
     * {@code client.withTimeout(...).get(key)}.
     *
     * @param timeout the time that a call waits for its reply, more than zero and at most 24 days
     * @throws MemcachedUnsupportedException if this client has a fixed timeout
     */
    ItemOperations<V> withTimeout(Duration timeout);
}
