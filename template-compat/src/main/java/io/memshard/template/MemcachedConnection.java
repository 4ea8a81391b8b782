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
 * A handle pinned to one connection, got from {@link MemcachedConnectionFactory#getConnection()}.
 *
 * <p>Each method is the one of the same name of {@link io.memshard.client.MemcachedClient}, for values of any type.
 * That interface describes keys, times to live, results and failures. A serializer is any {@link Transcoder};
 * {@link MemcachedSerializer} has the usual ones.
 *
 * <p>Threading: thread-safe. Commands of one thread through one handle are executed in order.
 *
 * <p>Closing a handle of a pool gives its connection back. Afterwards every method throws
 * {@link IllegalStateException}, so no caller can reach a connection that another has borrowed. Closing the handle of a
 * shared connection, or closing again, does nothing.
 */
public interface MemcachedConnection extends AutoCloseable {

    /** The value, or null on a miss. */
    <T> @Nullable T get(String key, Transcoder<T> serializer);

    /** The value and its cas unique, or null on a miss. */
    <T> @Nullable CasValue<T> gets(String key, Transcoder<T> serializer);

    /** The value, its time to live set to {@code ttl}; null on a miss. */
    <T> @Nullable T getAndTouch(String key, Duration ttl, Transcoder<T> serializer);

    /** The result for each distinct key; an illegal key fails alone. */
    <T> MultiGetResult<T> multiGet(Collection<String> keys, Transcoder<T> serializer);

    /** Stores the value whether or not there is an item. */
    <T> void set(String key, T value, Duration ttl, Transcoder<T> serializer);

    /** Stores the values whether or not there are items; the result for each key. An illegal key fails alone. */
    <T> MultiSetResult multiSet(Map<String, ? extends T> values, Duration ttl, Transcoder<T> serializer);

    /** Stores only where there is no item; whether it did. */
    <T> boolean add(String key, T value, Duration ttl, Transcoder<T> serializer);

    /** Stores only where there is an item; whether it did. */
    <T> boolean replace(String key, T value, Duration ttl, Transcoder<T> serializer);

    /** Adds the bytes after the item's; whether there was an item. */
    <T> boolean append(String key, T value, Transcoder<T> serializer);

    /** Adds the bytes before the item's; whether there was an item. */
    <T> boolean prepend(String key, T value, Transcoder<T> serializer);

    /**
     * Stores only if the item was not changed since it was read.
     *
     * @param casUnique what the item must still have, as {@link #gets} returned it
     */
    <T> CasResult cas(String key, T value, long casUnique, Duration ttl, Transcoder<T> serializer);

    /** Whether there was an item to delete. */
    boolean delete(String key);

    /** Deletes the items; the result for each distinct key. An illegal key fails alone. */
    MultiDeleteResult multiDelete(Collection<String> keys);

    /** Adds {@code delta} to a decimal item; the new number, or empty on a miss. */
    OptionalLong incr(String key, long delta);

    /**
     * As {@link #incr(String, long)}, for an unsigned delta.
     *
     * @throws MemcachedUnsupportedException if the engine has no such deltas
     */
    OptionalLong incrUnsigned(String key, long delta);

    /** As {@link #incr(String, long)}, but creates a missing item with {@code initial}. */
    long incr(String key, long delta, long initial, Duration ttl);

    /** Subtracts {@code delta} from a decimal item, stopping at 0; empty on a miss. */
    OptionalLong decr(String key, long delta);

    /**
     * As {@link #decr(String, long)}, for an unsigned delta.
     *
     * @throws MemcachedUnsupportedException if the engine has no such deltas
     */
    OptionalLong decrUnsigned(String key, long delta);

    /** As {@link #decr(String, long)}, but creates a missing item with {@code initial}. */
    long decr(String key, long delta, long initial, Duration ttl);

    /** Sets the time to live; whether there was an item. */
    boolean touch(String key, Duration ttl);

    /**
     * The whole meta protocol over this connection.
     *
     * @throws MemcachedUnsupportedException if the engine does not speak it
     */
    <T> MetaClient<T> meta(Transcoder<T> serializer);

    /** The server's version, such as {@code 1.6.18}. */
    String version();

    /**
     * This handle with another request timeout: closing either closes both.
     *
     * @param timeout how long a call waits for its reply, more than zero and at most 24 days. With engine spymemcached
     *     some calls take several commands, and each of these may wait this long, as with the builder's
     *     {@code requestTimeout}. A command that spymemcached has not written within {@code requestTimeout} is dropped,
     *     even if this timeout is longer
     */
    MemcachedConnection withTimeout(Duration timeout);

    @Override
    void close();
}
