// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The whole meta protocol for asynchronous callers.
 *
 * <p>The methods, their arguments and their results are those of {@link MetaClient}; threading and failure are those
 * of {@code AsyncMemcachedClient}, whose {@code AsyncMemcachedClient.meta} makes it.
 */
public interface AsyncMetaClient<V> {

    /** As {@link MetaClient#get}. */
    CompletableFuture<@Nullable MetaItem<V>> get(GetRequest request);

    /** As {@link MetaClient#set}. */
    CompletableFuture<WriteResult> set(SetRequest<? extends V> request);

    /** As {@link MetaClient#delete}. */
    CompletableFuture<WriteStatus> delete(DeleteRequest request);

    /** As {@link MetaClient#arithmetic}. */
    CompletableFuture<WriteResult> arithmetic(ArithmeticRequest request);

    /** As {@link MetaClient#debug}. */
    CompletableFuture<@Nullable ItemDebug> debug(ItemKey key);

    /** As {@link MetaClient#noop}. */
    CompletableFuture<@Nullable Void> noop();
}
