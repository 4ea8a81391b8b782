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
 * <p>Threading: thread-safe; made to be shared by any number of threads. Two calls of one thread are
 * executed in order when they go to the same connection, which a thread-affine chooser or a pinned
 * client guarantees.
 *
 * <p>Operations on many keys ({@code multiGet}, {@code multiSet}, {@code multiDelete}) go in parts of at most 100 keys
 * and 32 KiB (a larger value goes alone) over all connections that are ready, at most 8 parts at a time over
 * each, under one deadline. Failures of keys are in their results; what is thrown is an illegal argument,
 * before anything is sent, and what the transcoder throws.
 *
 * <p>Keys: 1 to 250 bytes of UTF-8 without blanks and control characters; anything else is an {@link
 * IllegalArgumentException} before a byte is sent. Times to live: {@link Duration#ZERO} never
 * expires, a negative one is refused, others are rounded up to whole seconds.
 *
 * <p>Failure: every method for one key throws {@link io.memshard.client.exception.MemcachedException}: timeout,
 * overload, connection, protocol, server error, interrupt, value too large, value that cannot be decoded,
 * unsupported. A miss, a value not stored or a cas mismatch is a return value.
 *
 * <p>Protocol: the meta commands of memcached's protocol.txt, named per method. With a server that has none, their
 * classic counterparts; what has no counterpart there throws {@link
 * io.memshard.client.exception.MemcachedUnsupportedException}.
 */
public interface MemcachedClient<V> {

    /** {@code mg}: the value, or null on a miss. */
    @Nullable
    V get(String key);

    /** {@code mg} with {@code c}: the value and its cas unique, or null on a miss. */
    @Nullable
    CasValue<V> gets(String key);

    /** {@code mg} with {@code T}: the value, its time to live set to {@code ttl}; null on a miss. */
    @Nullable
    V getAndTouch(String key, Duration ttl);

    /**
     * Quiet {@code mg} for each distinct key, closed by {@code mn}.
     *
     * @param keys any number of keys; none sends nothing
     * @return for each distinct key its value, that it is missing, or why it got no answer
     */
    MultiGetResult<V> multiGet(Collection<String> keys);

    /**
     * Quiet {@code ms} for each key, closed by {@code mn}: stores the values whether or not there are items.
     *
     * <p>Where the server refuses some values of a part without saying which, the part is sent again with each
     * key replied to: a value of it that was stored is then stored twice.
     *
     * @param values any number of values by their keys; none sends nothing. All are encoded before the first is
     *     sent; a value that is too large fails its key only
     * @return for each key whether it was stored, or why not
     */
    MultiSetResult multiSet(Map<String, ? extends V> values, Duration ttl);

    /**
     * {@code md} for each distinct key.
     *
     * @param keys any number of keys; none sends nothing
     * @return for each distinct key whether there was an item to delete, or why it got no answer
     */
    MultiDeleteResult multiDelete(Collection<String> keys);

    /** {@code ms}: stores the value whether or not there is an item. */
    void set(String key, V value, Duration ttl);

    /** {@code ms} in mode add: stores only where there is no item; whether it did. */
    boolean add(String key, V value, Duration ttl);

    /** {@code ms} in mode replace: stores only where there is an item; whether it did. */
    boolean replace(String key, V value, Duration ttl);

    /**
     * {@code ms} in mode append: adds the bytes behind the item's; whether it did.
     *
     * @return false where there is no item, or where the result would be above the server's item size limit: the server
     *     answers both alike, and leaves the item as it is
     */
    boolean append(String key, V value);

    /** {@code ms} in mode prepend: adds the bytes before the item's; whether it did, as for {@link #append}. */
    boolean prepend(String key, V value);

    /**
     * {@code ms} with {@code C}: stores only if the item still has {@code casUnique}.
     *
     * @param casUnique as {@link #gets} gave it; 0, which is what servers with cas switched off ({@code -C}) give, is
     *     an {@link IllegalArgumentException}
     */
    CasResult cas(String key, V value, long casUnique, Duration ttl);

    /** {@code md}: whether there was an item to delete. */
    boolean delete(String key);

    /**
     * {@code ma}: adds {@code delta} (unsigned) to the decimal number the item holds, wrapping at 2^64.
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

    /** {@code ma} in mode decrement with {@code N} and {@code J}: creates a missing item. Not in the classic text protocol. */
    long decr(String key, long delta, long initial, Duration ttl);

    /** {@code mg} with {@code T} and no value: sets the time to live; whether there was an item. */
    boolean touch(String key, Duration ttl);

    /** {@code version}: the server's version, such as {@code 1.6.18}. */
    String version();

    /**
     * The value, or else the loader's, which is stored for {@code ttl}: of all callers of all processes one loads.
     * As {@link #getOrLoad(String, Duration, Function, LoadOptions)} with {@link LoadOptions#DEFAULTS}.
     */
    default @Nullable V getOrLoad(String key, Duration ttl, Function<? super String, ? extends @Nullable V> loader) {
        return getOrLoad(key, ttl, loader, LoadOptions.DEFAULTS);
    }

    /**
     * {@code mg} with {@code N} and {@code R}: the value, or else the loader's, which is stored for {@code ttl}.
     *
     * <p>Of all callers of all processes the server makes one load: on a miss, when the item was invalidated ({@link
     * DeleteRequest#invalidate}), or when little is left of its time to live. The others get the value there is; where
     * there is none they wait, within the bounds of the options. While a value is loaded for the first time, its
     * item is there, but empty: {@link #get} takes that for a miss, {@link #add} does not, and whoever reads it by the
     * classic text protocol (under {@link io.memshard.client.options.Protocol#CLASSIC}, or by another client) gets an
     * empty value, for up to {@link LoadOptions#claimTtl()}.
     *
     * <p>The loader runs on the calling thread. What others store or delete while it runs stays: its value is then
     * returned and not stored. A loader that takes longer than {@link LoadOptions#claimTtl()} does not keep another
     * from loading. A loader that returns null says that there is nothing to load: null is the result, the item is
     * deleted, and the next caller loads. What it throws is thrown to its own caller; another tries then, unless all
     * have a value that is not stale. Who loads does so even if the old value cannot be decoded; who is to get that
     * fails, as {@link #get} does.
     *
     * <p>Under {@link FailurePolicy#TREAT_AS_MISS} the server's failures are not thrown. When asking it fails, this
     * caller loads, and stores only if there is no item: the server may have made this caller the one to load without
     * the reply arriving, and then nobody stores until another has waited for {@link LoadOptions#maxWait()}, or
     * {@code claimTtl} is over. When storing fails, the value is returned all the same, and the claim given back as after a
     * failure of the loader; where that fails too, it stays until {@code claimTtl} is over. A server that keeps silent
     * costs the request timeout for each of these steps. Under {@link FailurePolicy#RETRY_ONCE_IF_SAFE} asking is a read:
     * if the lost reply made this caller the one to load, the second says that another loads, and it waits.
     *
     * @throws io.memshard.client.exception.MemcachedUnsupportedException before the loader runs, from a server with cas
     *     switched off ({@code memcached -C}) too: it could not tell what others have stored meanwhile
     * @throws UnsupportedOperationException if this client does not speak the meta protocol
     */
    default @Nullable V getOrLoad(
            String key, Duration ttl, Function<? super String, ? extends @Nullable V> loader, LoadOptions options) {
        throw new UnsupportedOperationException("this client does not speak the meta protocol");
    }

    /**
     * The whole meta protocol over the same connections.
     *
     * @throws UnsupportedOperationException if this client does not speak it, with the reason
     */
    default MetaClient<V> meta() {
        throw new UnsupportedOperationException("this client does not speak the meta protocol");
    }

    /** The same connections under another transcoder. */
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
     * The same connections with another answer to failures: {@code client.withFailurePolicy(...).get(key)} for one
     * call. It takes the place of any policy this client has.
     *
     * @throws UnsupportedOperationException if the client has no failure policies
     */
    default MemcachedClient<V> withFailurePolicy(FailurePolicy policy) {
        throw new UnsupportedOperationException("this client has no failure policies: catch what it throws");
    }
}
