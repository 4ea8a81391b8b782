package io.memshard.client.meta;

import io.memshard.client.options.FailurePolicy;
import org.jspecify.annotations.Nullable;

/**
 * The whole meta protocol for blocking callers: each call sends one command with the flags of its request, and
 * waits for its reply.
 *
 * <p>Made by {@code MemcachedClient.meta}, whose connections, transcoder and time-out it has. For what the
 * methods of {@code MemcachedClient} do, those are simpler and do less work.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Failure: as {@code MemcachedClient}. A server that does not know a flag of the request makes a {@link
 * io.memshard.client.exception.MemcachedUnsupportedException} that says which version does; requests whose parts
 * contradict each other are an {@link IllegalArgumentException}, with nothing sent. The client's {@link FailurePolicy}
 * holds, and says which of these are reads.
 *
 * <p>Protocol: protocol.txt, section "Meta Commands". Requests carry an opaque that is checked; the quiet mode is
 * left to the calls for many keys.
 */
public interface MetaClient<V> {

    /**
     * {@code mg}: the item, or null on a miss. A value that cannot be decoded is a failure of this call, but not where
     * it has won the item, which it would then not learn: {@link MetaItem#value} fails instead.
     */
    @Nullable
    MetaItem<V> get(GetRequest request);

    /** {@code ms}: stores the value of the request. */
    WriteResult set(SetRequest<? extends V> request);

    /** {@code md}: deletes or invalidates the item. */
    WriteStatus delete(DeleteRequest request);

    /** {@code ma}: changes the number the item holds. */
    WriteResult arithmetic(ArithmeticRequest request);

    /** {@code me}: what the server keeps about the item, or null if there is none. */
    @Nullable
    ItemDebug debug(ItemKey key);

    /**
     * {@code mn}: returns when the server has answered. Everything sent before on the same connection is done then;
     * a client of several connections asks any one of them.
     */
    void noop();
}
