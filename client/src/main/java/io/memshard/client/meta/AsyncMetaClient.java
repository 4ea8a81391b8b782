// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Client for the whole meta protocol, for asynchronous callers.
 *
 * <p>{@code AsyncMemcachedClient.meta} creates this client, with the same threading and failures. The methods, their
 * arguments and their results are those of {@link MetaClient}.
 */
public interface AsyncMetaClient<V> {

    /** Same as {@link MetaClient#get}. */
    CompletableFuture<@Nullable MetaItem<V>> get(GetRequest request);

    /** Same as {@link MetaClient#set}. */
    CompletableFuture<WriteResult> set(SetRequest<? extends V> request);

    /** Same as {@link MetaClient#delete}. */
    CompletableFuture<WriteStatus> delete(DeleteRequest request);

    /** Same as {@link MetaClient#arithmetic}. */
    CompletableFuture<WriteResult> arithmetic(ArithmeticRequest request);

    /** Same as {@link MetaClient#debug}. */
    CompletableFuture<@Nullable Map<String, String>> debug(ItemKey key);

    /** Same as {@link MetaClient#noop}. */
    CompletableFuture<@Nullable Void> noop();
}
