// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Operations of a template. This interface adds pipelines to {@link MemcachedClient}, and aliases of its methods with
 * the names that Spring's templates use.
 *
 * <p>Threading and failure: as in {@link MemcachedClient}.
 */
public interface MemcachedOperations<V> extends MemcachedClient<V> {

    /** Calls {@link #add(String, Object, Duration)}: stores the value only if no item exists. */
    default boolean setIfAbsent(String key, V value, Duration ttl) {
        return add(key, value, ttl);
    }

    /** Calls {@link #replace(String, Object, Duration)}: stores the value only if an item exists. */
    default boolean setIfPresent(String key, V value, Duration ttl) {
        return replace(key, value, ttl);
    }

    /** Calls {@link #incr(String, long)}. Unlike in Redis, a missing item is not created, and the result is empty. */
    default OptionalLong increment(String key, long delta) {
        return incr(key, delta);
    }

    /**
     * Calls {@link #incr(String, long, long, Duration)} with {@code delta} as the initial number. A missing item is
     * created with the number {@code delta}, as in Redis.
     *
     * @param ttl time to live of a new item; an existing item keeps its own time to live
     */
    default long increment(String key, long delta, Duration ttl) {
        return incr(key, delta, delta, ttl);
    }

    /** Calls {@link #decr(String, long)}. Unlike in Redis, the number stops at 0, and a missing item is not created. */
    default OptionalLong decrement(String key, long delta) {
        return decr(key, delta);
    }

    /**
     * Returns a client whose operations return futures. Each call gets a connection, and gives the connection back once
     * the command is sent. The caller blocks only while it waits for a pooled connection.
     *
     * <p>With engine spymemcached, a future completes when spymemcached's own future completes, or when the request
     * timeout expires. One thread per connection completes the futures.
     */
    @Override
    AsyncMemcachedClient<V> async();

    /**
     * Sends many commands over one connection to each server, without waiting for the reply to each command. Each
     * server executes its commands in order.
     *
     * <p>{@code calls} receives a client. Each call on that client sends its command at once and returns a future. When
     * {@code calls} returns, this method waits for all the futures. If 256 commands are in flight, the next call waits
     * until an earlier command has completed, so {@code calls} may send any number of commands. For one operation on
     * many keys, {@code multiGet} and similar methods are faster.
     *
     * @return the results in the order of the calls; null for a miss and for {@code set}
     * @throws io.memshard.client.exception.MemcachedException the failure of the first call that failed; thrown once
     *     all calls have completed
     */
    List<@Nullable Object> executePipelined(Consumer<? super AsyncMemcachedClient<V>> calls);
}
