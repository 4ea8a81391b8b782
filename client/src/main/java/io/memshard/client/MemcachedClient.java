package io.memshard.client;

import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Memcached for blocking callers: each call sends one command and waits for its reply.
 *
 * <p>A client is a view: it owns no connection and needs no closing. What built it (in the sharding
 * module, {@code Memshard}) owns the connections.
 *
 * <p>Threading: thread-safe, for any number of threads. Two calls of one thread are executed in order if they go to the
 * same connection. A thread-affine chooser or a pinned client guarantees that.
 *
 * <p>Operations on many keys ({@code multiGet}, {@code multiSet}, {@code multiDelete}) are sent in parts of at most 100
 * keys and 32 KiB; a larger value goes alone. The parts go over all connections that are ready, at most 8 at a time
 * over each, under one deadline. Failures of keys are in the results. An illegal argument is thrown before anything is
 * sent; what the transcoder throws is thrown too.
 *
 * <p>Keys: 1 to 250 bytes of UTF-8 without spaces and control characters; anything else is an {@link
 * IllegalArgumentException} before a byte is sent. Times to live: {@link Duration#ZERO} never expires, a negative one
 * is an {@code IllegalArgumentException}, others are rounded up to whole seconds.
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

    /**
     * Quiet {@code mg} for each distinct key, with {@code mn} at the end.
     *
     * @param keys any number of keys; none sends nothing
     * @return for each distinct key its value, a miss, or the reason why it has no answer
     */
    MultiGetResult<V> multiGet(Collection<String> keys);

    /**
     * Quiet {@code ms} for each key, with {@code mn} at the end: stores the values whether or not there are items.
     *
     * <p>If the server rejects some values of a part without saying which, the part is sent again with a reply for each
     * key. A value of the part that was stored is then stored twice.
     *
     * @param values any number of values by their keys; none sends nothing. All are encoded before the first is
     *     sent; a value that is too large fails its key only
     * @return for each key whether it was stored, or the reason why not
     */
    MultiSetResult multiSet(Map<String, ? extends V> values, Duration ttl);

    /**
     * {@code md} for each distinct key.
     *
     * @param keys any number of keys; none sends nothing
     * @return for each distinct key whether there was an item to delete, or the reason why it has no answer
     */
    MultiDeleteResult multiDelete(Collection<String> keys);

    /** {@code ms}: stores the value whether or not there is an item. */
    void set(String key, V value, Duration ttl);

    /** {@code ms} in mode add: stores only if there is no item. Returns whether it did. */
    boolean add(String key, V value, Duration ttl);

    /** {@code ms} in mode replace: stores only if there is an item. Returns whether it did. */
    boolean replace(String key, V value, Duration ttl);

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

    /** {@code md}: deletes the item. Returns whether there was one. */
    boolean delete(String key);

    /**
     * {@code ma}: adds {@code delta} (unsigned) to the decimal number in the item, wrapping at 2^64.
     *
     * @return the new number, unsigned; empty on a miss
     */
    OptionalLong incr(String key, long delta);

    /**
     * {@code ma} with {@code N} and {@code J}: as {@link #incr(String, long)}, but a missing item is
     * created with {@code initial}, which is then the result. Not in the classic text protocol.
     */
    long incr(String key, long delta, long initial, Duration ttl);

    /** {@code ma} in mode decrement: subtracts {@code delta} (unsigned), stopping at 0. */
    OptionalLong decr(String key, long delta);

    /**
     * {@code ma} in mode decrement with {@code N} and {@code J}: creates a missing item. Not in the classic text
     * protocol.
     */
    long decr(String key, long delta, long initial, Duration ttl);

    /** {@code mg} with {@code T} and no value: sets the time to live. Returns whether there was an item. */
    boolean touch(String key, Duration ttl);

    /** {@code version}: the server's version, such as {@code 1.6.18}. */
    String version();

    /**
     * The value, or else the loader's, which is stored for {@code ttl}. One of the callers of all processes loads.
     * As {@link #getOrLoad(String, Duration, Function, LoadOptions)} with {@link LoadOptions#DEFAULTS}.
     */
    default @Nullable V getOrLoad(String key, Duration ttl, Function<? super String, ? extends @Nullable V> loader) {
        return getOrLoad(key, ttl, loader, LoadOptions.DEFAULTS);
    }

    /**
     * {@code mg} with {@code N} and {@code R}: the value, or else the loader's, which is stored for {@code ttl}.
     *
     * <p>The server chooses one of the callers of all processes to load. It does so on a miss, when the item was
     * invalidated ({@link DeleteRequest#invalidate}), or when little is left of its time to live. The other callers get
     * the value that is there. If there is none, they wait, within the limits of the options. While a value is loaded
     * for the first time, its item is there but empty, for up to {@link LoadOptions#claimTtl()}. {@link #get} takes the
     * empty item for a miss, and {@link #add} does not. The classic text protocol returns an empty value (under {@link
     * io.memshard.client.options.Protocol#CLASSIC}, and to other clients).
     *
     * <p>The loader runs on the calling thread. If others store or delete meanwhile, their change stays, and the loaded
     * value is returned but not stored. A loader that takes longer than {@link LoadOptions#claimTtl()} does not keep
     * another caller from loading. A loader that returns null has nothing to load: the result is null, the item is
     * deleted, and the next caller loads. An exception of the loader goes to its own caller. Another caller then tries,
     * unless all have a value that is not stale. A caller that loads does so even if the old value cannot be decoded. A
     * caller that would get that value fails, as {@link #get} does.
     *
     * <p>Under {@link FailurePolicy#TREAT_AS_MISS} the server's failures are not thrown. If the first get fails, this
     * caller loads, and stores only if there is no item. The server may have chosen this caller to load in a reply that
     * was lost. Then no caller stores until another has waited for {@link LoadOptions#maxWait()}, or until {@code
     * claimTtl} is over. If storing fails, the value is returned all the same, and the claim is given back as after a
     * failure of the loader. If that fails too, the claim stays until {@code claimTtl} is over. A silent server costs
     * the request timeout for each of these steps. Under {@link FailurePolicy#RETRY_ONCE_IF_SAFE} the first get is a
     * read that may be repeated. If the lost reply chose this caller to load, the second reply says that another caller
     * loads, and this one waits.
     *
     * @throws io.memshard.client.exception.MemcachedUnsupportedException before the loader runs. A server without cas
     *     ({@code memcached -C}) causes it too, because it could not tell what others stored meanwhile
     * @throws UnsupportedOperationException if this client does not speak the meta protocol
     */
    default @Nullable V getOrLoad(
            String key, Duration ttl, Function<? super String, ? extends @Nullable V> loader, LoadOptions options) {
        throw new UnsupportedOperationException("this client does not speak the meta protocol");
    }

    /**
     * The whole meta protocol over the same connections.
     *
     * @throws UnsupportedOperationException if this client does not speak it; the message says why
     */
    default MetaClient<V> meta() {
        throw new UnsupportedOperationException("this client does not speak the meta protocol");
    }

    /** The same connections with another transcoder. */
    <W> MemcachedClient<W> withTranscoder(Transcoder<W> transcoder);

    /**
     * The same connections with another request timeout: {@code client.withTimeout(...).get(key)} for one call.
     *
     * @param timeout how long a call waits for its reply, more than zero and at most 24 days
     * @throws UnsupportedOperationException if the client's timeout is fixed where it is built
     */
    default MemcachedClient<V> withTimeout(Duration timeout) {
        throw new UnsupportedOperationException("this client's timeout is fixed: set requestTimeout where it is built");
    }

    /**
     * The same connections with another failure policy: {@code client.withFailurePolicy(...).get(key)} for one call. It
     * replaces the policy of this client.
     *
     * @throws UnsupportedOperationException if the client has no failure policies
     */
    default MemcachedClient<V> withFailurePolicy(FailurePolicy policy) {
        throw new UnsupportedOperationException("this client has no failure policies: catch what it throws");
    }
}
