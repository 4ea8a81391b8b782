// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.options.FailurePolicy;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Blocking client for all meta commands. Each call sends one command, and waits for the reply.
 *
 * <p>{@code MemcachedClient.meta} creates this client, which uses the connections, transcoder and timeout of the
 * {@code MemcachedClient}. If {@code MemcachedClient} has an equivalent method, prefer that method, which is simpler
 * and does less work.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Failure: see {@code MemcachedClient}. If the server does not support a flag of the request, a
 * {@link io.memshard.client.exception.MemcachedUnsupportedException} names the required version. The client's
 * {@link FailurePolicy} treats {@link #get} and {@link #debug} as reads, and all other methods as writes.
 *
 * <p>Protocol: protocol.txt, section "Meta Commands".
 */
public interface MetaClient<V> {

    /**
     * Returns the item, or null on a miss. A caller that wins the item ({@link MetaItem#isWon}) must load the value.
     *
     * <p>Failure: a value that cannot be decoded fails the call. If the caller has won the item, {@link MetaItem#value}
     * throws instead.
     *
     * <p>Protocol: {@code mg}.
     */
    @Nullable
    MetaItem<V> get(GetRequest request);

    /** Stores the value of the request. Protocol: {@code ms}. */
    WriteResult set(SetRequest<? extends V> request);

    /** Deletes or invalidates the item. Protocol: {@code md}. */
    WriteStatus delete(DeleteRequest request);

    /** Increments or decrements the number in the item. Protocol: {@code ma}. */
    WriteResult arithmetic(ArithmeticRequest request);

    /**
     * Returns the server's internal data about the item, as strings by name; null on a miss. For example, {@code la} is
     * the number of seconds since the last access. Protocol: {@code me}, in protocol.txt, section "Meta Debug".
     */
    @Nullable
    Map<String, String> debug(String key);

    /**
     * Same as {@link #debug(String)} with a binary key. The server must be memcached 1.6.10 or later.
     *
     * @param key 1 to 186 bytes; a text key of the same bytes names the same item
     */
    @Nullable
    Map<String, String> debug(byte[] key);

    /**
     * Waits until the server has answered all earlier commands on one connection. A client with several connections
     * chooses one connection. Protocol: {@code mn}.
     */
    void noop();
}
