// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.exception.MemcachedIllegalKeyException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Memcached client for blocking callers: a call sends its command and waits for the reply.
 *
 * <p>A client owns no connection and needs no closing. The object that created the client, such as {@code Memshard},
 * owns the connections.
 *
 * <p>Threading: thread-safe. If one thread sends several commands on one connection, the server executes them in the
 * order of the calls.
 *
 * <p>Operations on many keys ({@code multiGet}, {@code multiSet}, {@code multiDelete}) are sent in parts of at most 100
 * keys and 32 KiB. A value above 32 KiB is sent alone. The parts may use all ready connections to a server, with at
 * most 8 parts in flight on each connection. All parts have the same deadline. The result contains the failures of
 * single keys, such as illegal keys. If another argument is illegal or the transcoder cannot encode a value, the call
 * throws an exception, and nothing is sent.
 *
 * <p>Keys: 1 to 250 bytes of UTF-8 without spaces and control characters. A call for one illegal key throws an
 * {@link IllegalArgumentException}, and nothing is sent.
 *
 * <p>Times to live are rounded up to whole seconds. Zero and negative times throw an {@code IllegalArgumentException}.
 * Use {@link TimeToLive} for items that never expire, or that expire at an instant.
 *
 * <p>Stale items: after {@link #invalidate}, reads still return the old value until the item expires, and
 * {@link #getOrLoad} reloads the value. The server tells only the first reader of a stale item to reload the value
 * (flag {@code W}). If this reader does not use {@code getOrLoad}, the client marks the item as stale again in the
 * background. The server then tells the next reader to reload the value. The mark changes the cas unique, so after a
 * {@link #gets} the client waits one second before it sets the mark. In this second, the caller can {@link #cas}.
 *
 * <p>Failure: a failed call for one key throws a {@link io.memshard.client.exception.MemcachedException}, which has a
 * subclass for each kind of failure. A miss, a value not stored and a cas mismatch are return values.
 *
 * <p>Protocol: the meta commands of memcached's protocol.txt, named at each method. If a server does not support the
 * meta commands, the client sends it the classic text commands. A method without a classic command then throws a
 * {@link MemcachedUnsupportedException}. A client that runs on another library, such as spymemcached, throws the same
 * exception for a method that the library does not support.
 */
public interface MemcachedClient<V> {

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
     * Reads many keys. Protocol: {@code mg} for each distinct key, but one {@code get} for 9 to 100 keys of a server.
     *
     * @param keys any number of keys; if empty, nothing is sent. An illegal key fails with a
     *     {@link MemcachedIllegalKeyException}; the other keys do not fail. For a null key, the call throws a
     *     {@link NullPointerException}
     * @return the value, the miss or the failure of each distinct key
     */
    MultiGetResult<V> multiGet(Collection<String> keys);

    /**
     * Stores many values, whether or not the items exist. Protocol: {@code ms} for each key, in quiet mode if more than
     * 8 values are sent together to a server.
     *
     * <p>In quiet mode, the server may reject a value without naming its key. The client then sends the same values
     * again and requests a reply for each key, so some values may be stored twice.
     *
     * @param values any number of values by key, with the same rules for keys as {@link #multiGet}; if empty, nothing
     *     is sent. All values are encoded before the first value is sent. If a value is too large, only its own key
     *     fails, and the item under this key is deleted as in {@link #set}
     * @return the keys whose values were stored, and the failures of the other keys
     */
    MultiWriteResult multiSet(Map<String, ? extends V> values, Duration ttl);

    /**
     * Deletes many items. Protocol: {@code md} for each distinct key.
     *
     * @param keys any number of keys, with the same rules as {@link #multiGet}; if empty, nothing is sent
     * @return the keys whose items existed, the keys without an item, and the failures of the other keys
     */
    MultiWriteResult multiDelete(Collection<String> keys);

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

    /** Stores the value if no item exists. Returns whether the value was stored. Protocol: {@code ms}, mode add. */
    boolean add(String key, V value, Duration ttl);

    /** Stores the value if an item exists. Returns whether the value was stored. Protocol: {@code ms}, mode replace. */
    boolean replace(String key, V value, Duration ttl);

    /**
     * Appends the encoded value to the bytes of the item. Protocol: {@code ms}, mode append.
     *
     * @return whether the value was appended; false if the item does not exist, or if the result would exceed the
     *     server's item size limit
     * @throws MemcachedUnsupportedException if the transcoder is not {@linkplain Transcoder#isAppendable appendable},
     *     for example because it compresses values; nothing is sent
     */
    boolean append(String key, V value);

    /** Same as {@link #append}, but prepends. Protocol: {@code ms}, mode prepend. */
    boolean prepend(String key, V value);

    /**
     * Stores the value only if the item still has {@code casUnique}. Protocol: {@code ms} with {@code C}.
     *
     * @param casUnique the cas unique that {@link #gets} returned. The value 0, which servers without cas ({@code -C})
     *     return, throws an {@link IllegalArgumentException}
     * @return {@link WriteStatus#DONE}, {@link WriteStatus#EXISTS} or {@link WriteStatus#NOT_FOUND}
     */
    WriteStatus cas(String key, V value, long casUnique, Duration ttl);

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
     * Same as {@link #incr(String, long)}, but creates a missing item with the number {@code initial}, and returns this
     * number. Protocol: {@code ma} with {@code N} and {@code J}; not in the classic text protocol.
     */
    long incr(String key, long delta, long initial, Duration ttl);

    /**
     * Subtracts {@code delta} from the decimal number in the item, stopping at 0. Protocol: {@code ma}, mode decrement.
     *
     * @param delta 0 or more; a negative delta throws an {@link IllegalArgumentException}
     */
    OptionalLong decr(String key, long delta);

    /**
     * Same as {@link #decr(String, long)}, but creates a missing item with the number {@code initial}, and returns this
     * number. Protocol: {@code ma} in mode decrement with {@code N} and {@code J}; not in the classic text protocol.
     */
    long decr(String key, long delta, long initial, Duration ttl);

    /** Sets the time to live. Returns whether the item existed. Protocol: {@code mg} with {@code T} and no value. */
    boolean touch(String key, Duration ttl);

    /** Returns the server's version, such as {@code 1.6.18}. Protocol: {@code version}. */
    String version();

    /** Same as {@link #multiGet}, but returns cas uniques too. Protocol: {@code mg} with {@code c} for each key. */
    MultiGetResult<CasValue<V>> multiGets(Collection<String> keys);

    /**
     * Same as {@link #multiGet}, but also sets the items' times to live. Protocol: {@code mg} with {@code T} for each
     * key.
     */
    MultiGetResult<V> multiGetAndTouch(Collection<String> keys, Duration ttl);

    /**
     * Changes a value by compare and set, so that no other writer's change is lost. Each try consists of a
     * {@code gets}, a call of {@code change}, and a {@code cas} (or an {@code add} if no item existed). This method
     * makes up to 100 tries, with pauses of up to 3.2 ms between tries. While {@link #getOrLoad} is loading a missing
     * value, the item exists but is empty, and this method treats the empty item as missing.
     *
     * @param ttl time to live of the item after the change
     * @param change function from the current value (null on a miss) to the new value. If the function returns null,
     *     the item is left unchanged. The function runs once per try, and must not have side effects
     * @return the stored value; null if the function returned null
     * @throws java.util.ConcurrentModificationException if another writer changed the item during each try; nothing was
     *     stored
     * @throws IllegalArgumentException if the server has cas disabled ({@code memcached -C})
     */
    @Nullable
    V update(String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change);

    /**
     * Marks the item as stale. The next caller of {@link #getOrLoad} reloads the value; other callers get the stale
     * value in the meantime. If a load is in progress, the loaded value is not stored. Protocol: {@code md} with
     * {@code I} and {@code T}.
     *
     * @param staleFor time after which the stale item expires, unless a caller stores a new value
     * @return whether the item existed
     * @throws MemcachedUnsupportedException if this client does not speak the meta protocol
     */
    boolean invalidate(String key, Duration staleFor);

    /** Same as {@link #getOrLoad(String, Duration, ValueLoader, LoadOptions)} with {@link LoadOptions#DEFAULTS}. */
    default @Nullable V getOrLoad(String key, Duration ttl, ValueLoader<? super String, ? extends V> loader) {
        return getOrLoad(key, ttl, loader, LoadOptions.DEFAULTS);
    }

    /**
     * Returns the value. On a miss, calls the loader, stores its value for {@code ttl}, and returns this value.
     * Protocol: {@code mg} with {@code N} and {@code R}.
     *
     * <p>On a miss, after {@link #invalidate}, or shortly before the item expires, the server lets only one caller load
     * the value, even across processes. The right to load is called the claim. The other callers get the existing
     * value. If no value exists, the other callers wait as long as the options allow. During the load of a missing
     * value, the item exists but is empty. A {@link #get} treats the empty item as a miss, but {@link #add} returns
     * false. Clients that use the classic text protocol read an empty value.
     *
     * <p>The loader runs on the calling thread. While the loader runs, the claim is renewed in the background for up to
     * {@link LoadOptions#maxLoad()}, so that no other caller loads. If the process terminates, its claim expires after
     * {@link LoadOptions#claimTtl()}. A claim to replace an old value is not renewed, and ends when the item with the
     * old value expires.
     *
     * <p>Callers in one process that use the same connections share one load, even if memcached fails during the load.
     * The callers that do not run the loader wait until the load ends, unless {@link LoadOptions} limits the wait. Each
     * caller decodes its own copy of the value. If a waiting caller is interrupted or gives up, the load continues. A
     * loader may call this method for its own key: the inner call does not wait for the load in progress.
     *
     * <p>If another client stores or deletes the item during the load, that client's change stays, and the loaded value
     * is returned but not stored. If the loader returns null, the result is null, the item is deleted, and the next
     * caller loads. An exception of the loader is thrown to the caller that ran the loader; a checked exception is
     * wrapped in a {@link io.memshard.client.load.ValueLoaderException}. Another caller then loads, unless memcached
     * has a value that is not stale. If the old value cannot be decoded, the load still runs, but calls that read the
     * old value fail like a {@link #get}.
     *
     * <p>The javadoc of {@link LoadOptions} describes how a {@link FailurePolicy} changes a load. With
     * {@link Transcoder#optional()}, memcached can also store the fact that no value exists.
     *
     * @throws MemcachedUnsupportedException if this client does not speak the meta protocol, or if the server has no
     *     cas ({@code memcached -C}) to detect concurrent changes; thrown before the loader runs
     */
    @Nullable
    V getOrLoad(String key, Duration ttl, ValueLoader<? super String, ? extends V> loader, LoadOptions options);

    /**
     * Same as {@link #getOrLoad(String, Duration, ValueLoader, LoadOptions)}, but the time to live depends on the
     * loaded value. A value is reloaded before it expires only if the options set {@link LoadOptions#recacheBelow()}.
     *
     * @param ttl function from the loaded value, which is not null, to the time to live. An exception of the function
     *     has the same effect as an exception of the loader
     */
    @Nullable
    V getOrLoad(
            String key,
            Function<? super V, Duration> ttl,
            ValueLoader<? super String, ? extends V> loader,
            LoadOptions options);

    /**
     * Same as {@link #multiGetOrLoad(Collection, Duration, ValueLoader, LoadOptions)} with
     * {@link LoadOptions#DEFAULTS}.
     */
    default MultiGetResult<V> multiGetOrLoad(
            Collection<String> keys, Duration ttl, ValueLoader<? super Set<String>, ? extends Map<String, V>> loader) {
        return multiGetOrLoad(keys, ttl, loader, LoadOptions.DEFAULTS);
    }

    /**
     * Same as {@link #getOrLoad(String, Duration, ValueLoader, LoadOptions)}, but for many keys. Up to 100 keys are
     * read at the same time.
     *
     * <p>The loader runs on the calling thread, once for all keys that this caller has to load. A key missing from the
     * loader's result is a miss. This method then waits for the values that other callers load. If another caller fails
     * to load a key, the loader is called again, for this key.
     *
     * <p>An exception of the loader is thrown after the claims of all keys are released, so that other callers can load
     * the keys. A checked exception is wrapped in a {@link io.memshard.client.load.ValueLoaderException}. A
     * {@code MemcachedException} thrown by the loader becomes the failure of each key that the loader was called for.
     *
     * @param keys any number of keys, with the same rules as {@link #multiGet}; the loader gets no illegal keys
     * @return for each distinct key, the value found or loaded, the miss, or the failure to read or store
     * @throws MemcachedUnsupportedException if this client does not speak the meta protocol
     */
    MultiGetResult<V> multiGetOrLoad(
            Collection<String> keys,
            Duration ttl,
            ValueLoader<? super Set<String>, ? extends Map<String, V>> loader,
            LoadOptions options);

    /**
     * Returns a client that supports the whole meta protocol and uses the same connections.
     *
     * @throws MemcachedUnsupportedException if this client does not speak the meta protocol
     */
    MetaClient<V> meta();

    /**
     * Returns the asynchronous client over the same connections, with the transcoder and the settings of this client.
     */
    AsyncMemcachedClient<V> async();

    /**
     * Returns a client over the same connections with another failure policy. For a single call, write
     * {@code client.withFailurePolicy(...).get(key)}.
     */
    MemcachedClient<V> withFailurePolicy(FailurePolicy policy);

    /**
     * Returns a client over the same connections with another policy for keys whose server is down.
     *
     * @throws IllegalArgumentException if the policy is {@link ServerDownPolicy#GUTTER} and no gutter servers were set
     */
    MemcachedClient<V> withServerDown(ServerDownPolicy policy);

    /**
     * Returns a client over the same connections that sends all commands to the server of {@code routingKey}. A routing
     * key keeps items with different keys on one server, like the {@code by_key} functions of libmemcached. All callers
     * must use the same routing key for these items.
     *
     * @param routingKey any legal key; no item has to exist under it
     */
    MemcachedClient<V> withRoutingKey(String routingKey);

    /**
     * Returns a client over the same connections that puts {@code prefix} before each key, after the prefix of this
     * client. Prefixes count towards the 250 bytes of a key.
     *
     * <p>Loaders get keys without the prefix, and results contain keys without the prefix. Exceptions, listeners and
     * Flight Recorder recordings contain keys with the prefix.
     *
     * @param prefix characters that are legal in a key, at most 100 bytes together with the prefix of this client;
     *     empty for no further prefix
     */
    MemcachedClient<V> withKeyPrefix(String prefix);

    /**
     * Returns a client over the same connections that hashes illegal keys. These keys have more than 250 bytes,
     * including the prefix, or contain spaces or control characters. All clients that share items must use this
     * setting.
     *
     * <p>The hashed form is the prefix, the first 24 characters of the key, {@code #}, and 43 characters of a hash. The
     * hash is the SHA-256 of prefix and key in UTF-8, in URL-safe base64. Among the 24 characters, {@code _} replaces
     * each illegal character. A legal key that ends with {@code #} and 43 characters of base64 is hashed too, so that
     * no two keys collide.
     *
     * <p>An empty key, and a key with an unpaired surrogate, stay illegal. Requests of {@link #meta} accept only legal
     * keys, and hash a key that has more than 250 bytes together with the prefix.
     */
    MemcachedClient<V> withHashedKeys();

    /** Returns a client over the same connections with another transcoder. */
    <W> MemcachedClient<W> withTranscoder(Transcoder<W> transcoder);

    /**
     * Returns a client over the same connections with another request timeout.
     *
     * @param timeout the time that a call waits for its reply, more than zero and at most 24 days
     */
    MemcachedClient<V> withTimeout(Duration timeout);
}
