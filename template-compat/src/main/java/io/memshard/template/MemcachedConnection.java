// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.meta.MetaClient;
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
 * Handle pinned to one connection, obtained from {@link MemcachedConnectionFactory#getConnection()}.
 *
 * <p>Each method behaves like the method of the same name in {@link io.memshard.client.MemcachedClient}, for values of
 * any type. That interface describes keys, times to live, results and failures. A serializer is any {@link Transcoder}.
 *
 * <p>Threading: thread-safe. Commands of one thread through one handle are executed in order.
 *
 * <p>Closing a handle of a pool returns its connection. Afterwards every method throws {@link IllegalStateException},
 * so a caller never reaches a connection that another caller has borrowed. Closing the handle of a shared connection,
 * or closing again, does nothing.
 */
public interface MemcachedConnection extends AutoCloseable {

    /** Returns the value, or null on a miss. */
    <T> @Nullable T get(String key, Transcoder<T> serializer);

    /** Returns the value and its cas unique, or null on a miss. */
    <T> @Nullable CasValue<T> gets(String key, Transcoder<T> serializer);

    /** Returns the value and sets its time to live to {@code ttl}; null on a miss. */
    <T> @Nullable T getAndTouch(String key, Duration ttl, Transcoder<T> serializer);

    /** Returns the result for each distinct key. An illegal key fails alone. */
    <T> MultiGetResult<T> multiGet(Collection<String> keys, Transcoder<T> serializer);

    /** Stores the value whether or not an item exists. */
    <T> void set(String key, T value, Duration ttl, Transcoder<T> serializer);

    /** Stores the values whether or not items exist; returns the result for each key. An illegal key fails alone. */
    <T> MultiSetResult multiSet(Map<String, ? extends T> values, Duration ttl, Transcoder<T> serializer);

    /** Stores the value only if no item exists; returns whether it was stored. */
    <T> boolean add(String key, T value, Duration ttl, Transcoder<T> serializer);

    /** Stores the value only if an item exists; returns whether it was stored. */
    <T> boolean replace(String key, T value, Duration ttl, Transcoder<T> serializer);

    /** Appends the encoded value to the item's data; returns whether an item existed. */
    <T> boolean append(String key, T value, Transcoder<T> serializer);

    /** Prepends the encoded value to the item's data; returns whether an item existed. */
    <T> boolean prepend(String key, T value, Transcoder<T> serializer);

    /**
     * Stores the value only if the item has not changed since it was read.
     *
     * @param casUnique required cas unique of the item, as returned by {@link #gets}
     */
    <T> CasResult cas(String key, T value, long casUnique, Duration ttl, Transcoder<T> serializer);

    /** Deletes the item; returns whether an item existed. */
    boolean delete(String key);

    /** Deletes the items; returns the result for each distinct key. An illegal key fails alone. */
    MultiDeleteResult multiDelete(Collection<String> keys);

    /** Adds {@code delta} to a decimal item; returns the new number, or empty on a miss. */
    OptionalLong incr(String key, long delta);

    /**
     * Adds an unsigned delta, otherwise like {@link #incr(String, long)}.
     *
     * @throws MemcachedUnsupportedException if the engine does not support unsigned deltas
     */
    OptionalLong incrUnsigned(String key, long delta);

    /** Adds {@code delta} like {@link #incr(String, long)}, but creates a missing item with {@code initial}. */
    long incr(String key, long delta, long initial, Duration ttl);

    /** Subtracts {@code delta} from a decimal item, stopping at 0; returns the new number, or empty on a miss. */
    OptionalLong decr(String key, long delta);

    /**
     * Subtracts an unsigned delta, otherwise like {@link #decr(String, long)}.
     *
     * @throws MemcachedUnsupportedException if the engine does not support unsigned deltas
     */
    OptionalLong decrUnsigned(String key, long delta);

    /** Subtracts {@code delta} like {@link #decr(String, long)}, but creates a missing item with {@code initial}. */
    long decr(String key, long delta, long initial, Duration ttl);

    /** Sets the time to live; returns whether an item existed. */
    boolean touch(String key, Duration ttl);

    /**
     * Returns a client of the whole meta protocol over this connection.
     *
     * @throws MemcachedUnsupportedException if the engine does not speak the meta protocol
     */
    <T> MetaClient<T> meta(Transcoder<T> serializer);

    /** Returns the server's version, such as {@code 1.6.18}. */
    String version();

    /**
     * Returns a handle on the same connection with another request timeout. Closing either handle closes both.
     *
     * @param timeout maximum wait of a call for its reply, more than zero and at most 24 days. With engine
     *     spymemcached, some calls take several commands. Each of these commands may wait this long, as with the
     *     builder's {@code requestTimeout}. A command that spymemcached has not written within {@code requestTimeout}
     *     is dropped, even if this timeout is longer
     */
    MemcachedConnection withTimeout(Duration timeout);

    @Override
    void close();
}
