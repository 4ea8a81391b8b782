// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.options.FailurePolicy;
import org.jspecify.annotations.Nullable;

/**
 * The whole meta protocol for blocking callers: each call sends one command with the flags of its request, and
 * waits for its reply.
 *
 * <p>{@code MemcachedClient.meta} makes it, with the client's connections, transcoder and timeout. Where a method of
 * {@code MemcachedClient} does the same, it is simpler and does less work.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Failure: as {@code MemcachedClient}. If the server does not know a flag of the request, a {@link
 * io.memshard.client.exception.MemcachedUnsupportedException} says which version does. A request whose parts contradict
 * each other is an {@link IllegalArgumentException}, and nothing is sent. The client's {@link FailurePolicy} applies,
 * and says which of these methods are reads.
 *
 * <p>Protocol: protocol.txt, section "Meta Commands". Requests carry an opaque that is checked. Only the operations on
 * many keys use quiet mode.
 */
public interface MetaClient<V> {

    /**
     * {@code mg}: the item, or null on a miss. Which requests may win the item, and so have to load it, is told at
     * {@link MetaItem#isWon}. A value that cannot be decoded fails this call, unless the call has won
     * the item. The caller must learn that, so {@link MetaItem#value} fails instead.
     */
    @Nullable
    MetaItem<V> get(GetRequest request);

    /** {@code ms}: stores the value of the request. */
    WriteResult set(SetRequest<? extends V> request);

    /** {@code md}: deletes or invalidates the item. */
    WriteStatus delete(DeleteRequest request);

    /** {@code ma}: changes the number in the item. */
    WriteResult arithmetic(ArithmeticRequest request);

    /** {@code me}: what the server knows about the item, or null if there is no item. */
    @Nullable
    ItemDebug debug(ItemKey key);

    /**
     * {@code mn}: returns when the server has answered. Everything sent before on the same connection is done then. A
     * client with several connections sends it over any one of them.
     */
    void noop();
}
