// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.exception.MemcachedIllegalKeyException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Memcached for blocking callers: a call sends its command and waits for the reply.
 *
 * <p>A client is a view: it owns no connection and needs no closing. What built it, such as {@code Memshard}, owns the
 * connections.
 *
 * <p>Threading: thread-safe, for any number of threads. Two calls of one thread are executed in order if they go to the
 * same connection. The choosers that keep the order of a thread guarantee that.
 *
 * <p>Operations on many keys ({@code multiGet}, {@code multiSet}, {@code multiDelete}) are sent in parts of at most 100
 * keys and 32 KiB; a larger value goes alone. The parts go over all connections that are ready, at most 8 at a time
 * over each, under one deadline. Failures of keys are in the results. An illegal argument is thrown before anything is
 * sent; what the transcoder throws is thrown too.
 *
 * <p>Keys: 1 to 250 bytes of UTF-8 without spaces and control characters; anything else is an {@link
 * IllegalArgumentException} before a byte is sent.
 *
 * <p>Times to live are more than zero and are rounded up to whole seconds. {@link TimeToLive#NEVER} never expires. Zero
 * and negative ones are an {@code IllegalArgumentException}, because a computed time that is over would otherwise last
 * for ever. Methods with an {@link Instant} take one that is over: {@link TimeToLive#until}.
 *
 * <p>Stale items: an item that was invalidated ({@link #invalidate}) is read as before until its time is
 * over, and {@link #getOrLoad} loads it. memcached has the first read of a stale item load it, whatever read that is. A
 * read that was not asked to load gives that back in the background: {@link #gets} after a second, in which its caller
 * may store by {@link #cas}, the others at once.
 *
 * <p>Failure: every method for one key throws {@link io.memshard.client.exception.MemcachedException}: timeout,
 * overload, connection, protocol, server error, interrupt, value too large, value that cannot be decoded,
 * unsupported. A miss, a value not stored or a cas mismatch is a return value.
 *
 * <p>Protocol: the meta commands of memcached's protocol.txt, named at each method. A server without them gets the
 * classic commands. A method without a classic command then throws {@link
 * io.memshard.client.exception.MemcachedUnsupportedException}.
 */
public interface MemcachedClient<V> {

    /** {@code mg}: the value, or null on a miss. */
    @Nullable
    V get(String key);

    /** {@code mg} with {@code c}: the value and its cas unique, or null on a miss. */
    @Nullable
    CasValue<V> gets(String key);

    /** {@code mg} with {@code T}: the value, whose time to live it sets to {@code ttl}; null on a miss. */
    @Nullable
    V getAndTouch(String key, Duration ttl);

    /** As {@link #getAndTouch(String, Duration)}, until an instant, which may be over. */
    default @Nullable V getAndTouch(String key, Instant expiry) {
        return getAndTouch(key, TimeToLive.until(expiry));
    }

    /**
     * Quiet {@code mg} for each distinct key, with {@code mn} at the end.
     *
     * @param keys any number of keys; none sends nothing. An illegal key fails alone, with a {@link
     *     MemcachedIllegalKeyException}; null is a {@link NullPointerException} of the call
     * @return for each distinct key its value, a miss, or the reason why it has no answer
     */
    MultiGetResult<V> multiGet(Collection<String> keys);

    /**
     * As {@link #multiGet}, with {@code c}: each value and its cas unique.
     *
     * @throws MemcachedUnsupportedException if this client reads only single items with their cas unique
     */
    default MultiGetResult<CasValue<V>> multiGets(Collection<String> keys) {
        throw new MemcachedUnsupportedException(
                "this client reads no cas uniques of many items: use gets for each", null, null);
    }

    /**
     * As {@link #multiGet}, with {@code T}: each value, whose time to live it sets to {@code ttl}.
     *
     * @throws MemcachedUnsupportedException if this client reads and touches only single items
     */
    default MultiGetResult<V> multiGetAndTouch(Collection<String> keys, Duration ttl) {
        throw new MemcachedUnsupportedException(
                "this client does not touch many items: use getAndTouch for each", null, null);
    }

    /** As {@link #multiGetAndTouch(Collection, Duration)}, until an instant, which may be over. */
    default MultiGetResult<V> multiGetAndTouch(Collection<String> keys, Instant expiry) {
        return multiGetAndTouch(keys, TimeToLive.until(expiry));
    }

    /**
     * Quiet {@code ms} for each key, with {@code mn} at the end: stores the values whether or not there are items.
     *
     * <p>If the server rejects some values of a part without saying which, the part is sent again with a reply for each
     * key. A value of the part that was stored is then stored twice.
     *
     * @param values any number of values by their keys, which are as those of {@link #multiGet}; none sends nothing.
     *     All are encoded before the first is sent; a value that is too large fails its key only, and the item is
     *     deleted as by {@link #set}
     * @return for each key whether it was stored, or the reason why not
     */
    MultiSetResult multiSet(Map<String, ? extends V> values, Duration ttl);

    /** As {@link #multiSet(Map, Duration)}, until an instant, which may be over. */
    default MultiSetResult multiSet(Map<String, ? extends V> values, Instant expiry) {
        return multiSet(values, TimeToLive.until(expiry));
    }

    /**
     * {@code md} for each distinct key.
     *
     * @param keys any number of keys, as those of {@link #multiGet}; none sends nothing
     * @return for each distinct key whether there was an item to delete, or the reason why it has no answer
     */
    MultiDeleteResult multiDelete(Collection<String> keys);

    /**
     * {@code ms}: stores the value whether or not there is an item.
     *
     * <p>If the value is too large for the client or the server, the item is deleted, because its old value would be
     * wrong. The call then throws a {@link io.memshard.client.exception.MemcachedValueTooLargeException}.
     */
    void set(String key, V value, Duration ttl);

    /** As {@link #set(String, Object, Duration)}, until an instant, which may be over. */
    default void set(String key, V value, Instant expiry) {
        set(key, value, TimeToLive.until(expiry));
    }

    /** {@code ms} in mode add: stores only if there is no item. Returns whether it did. */
    boolean add(String key, V value, Duration ttl);

    /** As {@link #add(String, Object, Duration)}, until an instant, which may be over. */
    default boolean add(String key, V value, Instant expiry) {
        return add(key, value, TimeToLive.until(expiry));
    }

    /** {@code ms} in mode replace: stores only if there is an item. Returns whether it did. */
    boolean replace(String key, V value, Duration ttl);

    /** As {@link #replace(String, Object, Duration)}, until an instant, which may be over. */
    default boolean replace(String key, V value, Instant expiry) {
        return replace(key, value, TimeToLive.until(expiry));
    }

    /**
     * {@code ms} in mode append: adds the bytes after the item's.
     *
     * @return whether it did; false if there is no item, or if the result would be above the server's item size limit.
     *     The server answers both alike, and leaves the item as it is
     */
    boolean append(String key, V value);

    /** {@code ms} in mode prepend: adds the bytes before the item's. Returns whether it did, as {@link #append}. */
    boolean prepend(String key, V value);

    /**
     * {@code ms} with {@code C}: stores only if the item still has {@code casUnique}.
     *
     * @param casUnique as {@link #gets} returned it; 0 is an {@link IllegalArgumentException}, and is what servers
     *     without cas ({@code -C}) return
     */
    CasResult cas(String key, V value, long casUnique, Duration ttl);

    /** As {@link #cas(String, Object, long, Duration)}, until an instant, which may be over. */
    default CasResult cas(String key, V value, long casUnique, Instant expiry) {
        return cas(key, value, casUnique, TimeToLive.until(expiry));
    }

    /** {@code md}: deletes the item. Returns whether there was one. */
    boolean delete(String key);

    /**
     * {@code md} with {@code I} and {@code T}: marks the item as stale. The next caller of {@link #getOrLoad} loads it,
     * and the others get the stale value meanwhile. A value that is being loaded now is not stored. Not in the classic
     * text protocol: there, delete the item.
     *
     * @param staleFor a time to live: how long the stale value may be read if nobody stores another
     * @return whether there was an item
     * @throws MemcachedUnsupportedException if this client does not speak the meta protocol
     */
    boolean invalidate(String key, Duration staleFor);

    /**
     * {@code ma}: adds {@code delta} to the decimal number in the item, wrapping at 2^64.
     *
     * @param delta 0 or more; a negative one is an {@link IllegalArgumentException}
     * @return the new number, unsigned; empty on a miss
     */
    OptionalLong incr(String key, long delta);

    /**
     * As {@link #incr(String, long)}, for a delta up to 2^64 - 1.
     *
     * @param delta unsigned: a negative one stands for the number 2^64 above it
     * @throws MemcachedUnsupportedException if this client has no such deltas
     */
    default OptionalLong incrUnsigned(String key, long delta) {
        throw new MemcachedUnsupportedException(
                "this client takes deltas up to " + Long.MAX_VALUE + ": use incr, twice for a larger one", null, null);
    }

    /**
     * {@code ma} with {@code N} and {@code J}: as {@link #incr(String, long)}, but a missing item is
     * created with {@code initial}, which is then the result. Not in the classic text protocol.
     */
    long incr(String key, long delta, long initial, Duration ttl);

    /**
     * {@code ma} in mode decrement: subtracts {@code delta}, stopping at 0.
     *
     * @param delta 0 or more; a negative one is an {@link IllegalArgumentException}
     */
    OptionalLong decr(String key, long delta);

    /**
     * As {@link #decr(String, long)}, for a delta up to 2^64 - 1.
     *
     * @param delta unsigned: a negative one stands for the number 2^64 above it
     * @throws MemcachedUnsupportedException if this client has no such deltas
     */
    default OptionalLong decrUnsigned(String key, long delta) {
        throw new MemcachedUnsupportedException(
                "this client takes deltas up to " + Long.MAX_VALUE + ": use decr, twice for a larger one", null, null);
    }

    /**
     * {@code ma} in mode decrement with {@code N} and {@code J}: creates a missing item. Not in the classic text
     * protocol.
     */
    long decr(String key, long delta, long initial, Duration ttl);

    /** {@code mg} with {@code T} and no value: sets the time to live. Returns whether there was an item. */
    boolean touch(String key, Duration ttl);

    /** As {@link #touch(String, Duration)}, until an instant, which may be over. */
    default boolean touch(String key, Instant expiry) {
        return touch(key, TimeToLive.until(expiry));
    }

    /** {@code version}: the server's version, such as {@code 1.6.18}. */
    String version();

    /**
     * The value, or else the loader's, which is stored for {@code ttl}. One of the callers of all processes loads.
     * As {@link #getOrLoad(String, Duration, ValueLoader, LoadOptions)} with {@link LoadOptions#DEFAULTS}.
     */
    default @Nullable V getOrLoad(String key, Duration ttl, ValueLoader<? extends V> loader) {
        return getOrLoad(key, ttl, loader, LoadOptions.DEFAULTS);
    }

    /**
     * {@code mg} with {@code N} and {@code R}: the value, or else the loader's, which is stored for {@code ttl}.
     *
     * <p>The server chooses one of the callers of all processes to load. It does so on a miss, when the item was
     * invalidated ({@link #invalidate}), or when little is left of its time to live. The other callers get
     * the value that is there. If there is none, they wait, within the limits of the options. While a value is loaded
     * for the first time, its item is there but empty. {@link #get} takes the empty item for a miss, and {@link #add}
     * does not. The classic text protocol returns an empty value (under {@link
     * io.memshard.client.options.Protocol#CLASSIC}, and to other clients).
     *
     * <p>The loader runs on the calling thread. While it runs, its claim is renewed in the background, for up to {@link
     * LoadOptions#maxLoad()}; so no other caller loads. A process that dies loses its claim after {@link
     * LoadOptions#claimTtl()}. The claim on an old value that is still served is not renewed, and ends with that value.
     * Callers of the same client's connections in this process share the load, even if memcached fails meanwhile. They
     * wait for its end, or fail after {@link LoadOptions#maxWait()} if the options say so. Each decodes the value for
     * itself, so none sees what another does to a mutable value. A waiting caller that is interrupted or gives up leaves
     * the load going on. A loader that asks for its own key on its own thread does not wait for itself: it does at once
     * what {@link LoadOptions#afterWait()} says.
     *
     * <p>If others store or delete meanwhile, their change stays, and the loaded value is returned but not stored. A
     * loader that returns null has nothing to load: the result is null, the item is
     * deleted, and the next caller loads. An exception of the loader goes to its own caller, a checked one as the cause
     * of a {@link io.memshard.client.load.ValueLoaderException}. Another caller then tries, unless all have a value
     * that is not stale. A caller that loads does so even if the old value cannot be decoded. A
     * caller that would get that value fails, as {@link #get} does.
     *
     * <p>Under {@link FailurePolicy#TREAT_AS_MISS} the server's failures are not thrown. If the first get fails, this
     * caller loads, and stores nothing, because it cannot know what others change meanwhile. The server may have chosen
     * this caller to load in a reply that was lost. Then no caller loads until another has waited for {@link
     * LoadOptions#maxWait()}, or until {@code claimTtl} is over. If storing fails, the value is returned all the
     * same, and the claim is given back as after a
     * failure of the loader. If that fails too, the claim stays until {@code claimTtl} is over. A silent server costs
     * the request timeout for each of these steps. Under {@link FailurePolicy#RETRY_ONCE_IF_SAFE} the first get is a
     * read that may be repeated. If the lost reply chose this caller to load, the second reply says that another caller
     * loads, and this one waits.
     *
     * @throws MemcachedUnsupportedException before the loader runs, if this client does not speak the meta protocol, or
     *     if the server has no cas ({@code memcached -C}): it could not tell what others stored meanwhile
     */
    default @Nullable V getOrLoad(String key, Duration ttl, ValueLoader<? extends V> loader, LoadOptions options) {
        throw new MemcachedUnsupportedException(
                "this client does not speak the meta protocol: use get, load on a miss, and set", null, null);
    }

    /**
     * The values of many keys; those that are missing come from one call of the loader. As {@link
     * #multiGetOrLoad(Collection, Duration, Function, LoadOptions)} with {@link LoadOptions#DEFAULTS}.
     */
    default MultiGetResult<V> multiGetOrLoad(
            Collection<String> keys, Duration ttl, Function<? super Set<String>, ? extends Map<String, V>> loader) {
        return multiGetOrLoad(keys, ttl, loader, LoadOptions.DEFAULTS);
    }

    /**
     * {@link #getOrLoad(String, Duration, ValueLoader, LoadOptions)} for each distinct key, with one loader for all.
     * The gets are sent together, up to 100 at a time.
     *
     * <p>The loader runs once, on the calling thread, with the keys that this caller has to load; not at all if there
     * are none. It returns their values. A key that it leaves out has nothing to load, and is a miss. Then this waits
     * for the values that other callers load. If another caller gives up, the loader is called again for that key.
     *
     * <p>An exception of the loader is thrown when all keys are done, and their claims are given back. A {@code
     * MemcachedException} of it is the failure of its keys.
     *
     * @param keys any number of keys, as those of {@link #multiGet}. The loader gets no illegal key
     * @return for each distinct key its value, found or loaded; a miss; or why it has no answer or was not stored
     * @throws MemcachedUnsupportedException if this client does not speak the meta protocol
     */
    default MultiGetResult<V> multiGetOrLoad(
            Collection<String> keys,
            Duration ttl,
            Function<? super Set<String>, ? extends Map<String, V>> loader,
            LoadOptions options) {
        throw new MemcachedUnsupportedException(
                "this client does not speak the meta protocol: use multiGet, load the misses, and multiSet them",
                null,
                null);
    }

    /**
     * The whole meta protocol over the same connections.
     *
     * @throws MemcachedUnsupportedException if this client does not speak it; the message says why
     */
    default MetaClient<V> meta() {
        throw new MemcachedUnsupportedException(
                "this client does not speak the meta protocol: take a client of Memshard", null, null);
    }

    /** The same connections with another transcoder. */
    <W> MemcachedClient<W> withTranscoder(Transcoder<W> transcoder);

    /**
     * The same connections with another request timeout: {@code client.withTimeout(...).get(key)} for one call.
     *
     * @param timeout how long a call waits for its reply, more than zero and at most 24 days
     * @throws MemcachedUnsupportedException if the client's timeout is fixed where it is built
     */
    default MemcachedClient<V> withTimeout(Duration timeout) {
        throw new MemcachedUnsupportedException(
                "this client's timeout is fixed: set requestTimeout where it is built", null, null);
    }

    /**
     * The same connections with another failure policy: {@code client.withFailurePolicy(...).get(key)} for one call. It
     * replaces the policy of this client.
     *
     * @throws MemcachedUnsupportedException if the client has no failure policies
     */
    default MemcachedClient<V> withFailurePolicy(FailurePolicy policy) {
        throw new MemcachedUnsupportedException(
                "this client has no failure policies: catch what it throws", null, null);
    }

    /**
     * The same connections with another policy for keys whose server is down: {@code
     * client.withServerDown(...).get(key)} for one call. It replaces the policy of this client.
     *
     * @throws IllegalArgumentException if the policy is {@link ServerDownPolicy#GUTTER} and no gutter was set
     * @throws MemcachedUnsupportedException if the client has no such policies
     */
    default MemcachedClient<V> withServerDown(ServerDownPolicy policy) {
        throw new MemcachedUnsupportedException(
                "this client has no policies for servers that are down: catch what it throws", null, null);
    }

    /**
     * The same connections with {@code prefix} before each key, behind the prefix that this client has. It counts
     * among the 250 bytes of a key.
     *
     * <p>Results of operations on many keys, and loaders, have keys as their caller wrote them. Failures, listeners and
     * recordings have them as the server does, with the prefix.
     *
     * @param prefix what a key may have, at most 100 bytes together with the prefix that this client has; empty for
     *     none
     * @throws MemcachedUnsupportedException if the client has no prefixes
     */
    default MemcachedClient<V> withKeyPrefix(String prefix) {
        throw new MemcachedUnsupportedException("this client has no key prefix: write whole keys", null, null);
    }

    /**
     * The same connections, with keys hashed that memcached refuses: those of more than 250 bytes, prefix included, and
     * those with spaces or control characters.
     *
     * <p>Such a key is stored as its prefix, its first 32 characters, {@code #}, and 43 characters. These are the
     * SHA-256 of prefix and key in UTF-8, in URL-safe base64. {@code _} stands for a character that is refused. A key
     * that ends like that is hashed too, so no two keys meet. All clients of an item must hash, or none. An empty key
     * and half a surrogate pair stay illegal. The requests of {@link #meta} take only legal keys, and are hashed if
     * their prefix makes them too long.
     *
     * @throws MemcachedUnsupportedException if the client does not hash keys
     */
    default MemcachedClient<V> withHashedKeys() {
        throw new MemcachedUnsupportedException("this client does not hash keys: shorten them", null, null);
    }
}
