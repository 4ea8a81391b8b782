// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a template does: the operations of memcached, and what Spring's templates have besides. Where Spring has another
 * name for an operation of memcached, both names are there; what they do is memcached's.
 *
 * <p>Threading and failure: as {@link MemcachedClient}.
 */
public interface MemcachedOperations<V> extends MemcachedClient<V> {

    /** Spring's name of {@link #add(String, Object, Duration)}: stores only if there is no item. */
    default boolean setIfAbsent(String key, V value, Duration ttl) {
        return add(key, value, ttl);
    }

    /** Spring's name of {@link #replace(String, Object, Duration)}: stores only if there is an item. */
    default boolean setIfPresent(String key, V value, Duration ttl) {
        return replace(key, value, ttl);
    }

    /** Spring's name of {@link #incr(String, long)}. Unlike Redis it creates no item: empty on a miss. */
    default OptionalLong increment(String key, long delta) {
        return incr(key, delta);
    }

    /**
     * {@link #incr(String, long, long, Duration)} from 0 on: a missing item is created with {@code delta}, as in Redis.
     *
     * @param ttl of an item that is created; that of another stays
     */
    default long increment(String key, long delta, Duration ttl) {
        return incr(key, delta, delta, ttl);
    }

    /** Spring's name of {@link #decr(String, long)}. Unlike Redis it stops at 0, and creates no item. */
    default OptionalLong decrement(String key, long delta) {
        return decr(key, delta);
    }

    /**
     * Changes a value by compare and set, so that no other writer's change is lost: as {@link #update(String, Duration,
     * int, Function)}, with up to 100 tries.
     */
    default @Nullable V update(String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change) {
        return update(key, ttl, CasLoop.DEFAULT_TRIES, change);
    }

    /**
     * Changes a value by compare and set, so that no other writer's change is lost. A try is a {@code gets}, the
     * change, and a {@code cas}; or an {@code add} where there was no item. Between tries the caller waits for up to 3
     * ms. An item that {@link #getOrLoad} is loading for the first time loses the try.
     *
     * @param ttl of the item from then on
     * @param maxTries how often it is tried at most, 1 or more
     * @param change the new value of the one that is there, which is null on a miss; null to leave the item as it is.
     *     It runs once a try, so it has no effects of its own
     * @return what was stored; null if the change was null
     * @throws UpdateConflictException if another writer came between at each try; nothing was stored then
     * @throws IllegalArgumentException if the server has no cas ({@code memcached -C})
     */
    @Nullable
    V update(String key, Duration ttl, int maxTries, Function<? super @Nullable V, ? extends @Nullable V> change);

    /**
     * As {@link #update(String, Duration, int, Function)}, without a thread that waits: tries follow each other at
     * once, up to 100. The change runs on a thread that completes futures, and must not block.
     */
    CompletableFuture<@Nullable V> updateAsync(
            String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change);

    /**
     * The same operations without a thread that waits. Each gets a connection, which is given back once the command is
     * sent; only the wait for a connection of a pool blocks the caller.
     *
     * <p>With the engine spymemcached the futures are those of spymemcached, with the request timeout. One thread a
     * connection completes them. What the engine has not is missing here too.
     */
    AsyncMemcachedClient<V> async();

    /**
     * Sends many commands over one connection before it waits for their replies. They are executed in order.
     *
     * <p>Each call of the client that {@code calls} gets is sent at once, and returns its future. When {@code calls} is
     * over, this waits for all. A call waits for earlier ones while 256 are on their way, so any number may be made.
     * Many keys of one operation are faster by {@code multiGet} and its like.
     *
     * @return the results in the order of the calls; null for a miss and for {@code set}
     * @throws io.memshard.client.exception.MemcachedException the failure of the first call that failed, after all are
     *     over; those of up to 10 later calls are suppressed
     */
    List<@Nullable Object> executePipelined(Consumer<? super AsyncMemcachedClient<V>> calls);

    /** The operations on the item under {@code key}. */
    default BoundValueOperations<V> boundValueOps(String key) {
        return new BoundValueOperations<>(this, key);
    }
}
