// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.options.FailurePolicy;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Client for the whole meta protocol, for blocking callers: each call sends one command with the flags of its request
 * and waits for the reply.
 *
 * <p>{@code MemcachedClient.meta} creates this client, with the connections, transcoder and timeout of the {@code
 * MemcachedClient}. If {@code MemcachedClient} has an equivalent method, prefer that method: it is simpler and does
 * less work.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Failure: same as {@code MemcachedClient}. If the server does not support a flag of the request, a {@link
 * io.memshard.client.exception.MemcachedUnsupportedException} names the version that does. The client's {@link
 * FailurePolicy} applies: {@link #get} and {@link #debug} are reads, all other methods are writes.
 *
 * <p>Protocol: protocol.txt, section "Meta Commands". Requests except {@code me} and {@code mn} carry an opaque, which
 * is checked in the reply.
 */
public interface MetaClient<V> {

    /**
     * Returns the item, or null on a miss. Protocol: {@code mg}. {@link MetaItem#isWon} describes which requests may
     * win the item and then have to load its value. If the value cannot be decoded, this call fails. But a call that
     * has won the item returns the item, and only {@link MetaItem#value} fails.
     */
    @Nullable
    MetaItem<V> get(GetRequest request);

    /** Stores the value of the request. Protocol: {@code ms}. */
    WriteResult set(SetRequest<? extends V> request);

    /** Deletes or invalidates the item. Protocol: {@code md}. */
    WriteStatus delete(DeleteRequest request);

    /** Changes the number in the item. Protocol: {@code ma}. */
    WriteResult arithmetic(ArithmeticRequest request);

    /**
     * Returns the server's internal data about the item, as texts by name in the server's order; null on a miss.
     * Protocol: {@code me}; protocol.txt, section "Meta Debug", describes the names, such as {@code la} for the seconds
     * since the last access.
     */
    @Nullable
    Map<String, String> debug(ItemKey key);

    /**
     * Waits for the server's answer, which comes after the answers to everything sent earlier on the same connection. A
     * client with several connections uses any one of them. Protocol: {@code mn}.
     */
    void noop();
}
