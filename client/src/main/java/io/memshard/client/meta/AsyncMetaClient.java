// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous client for the whole meta protocol.
 *
 * <p>The methods, arguments and results are those of {@link MetaClient}. Threading and failures are those of
 * {@code AsyncMemcachedClient}, whose method {@code meta} creates this client.
 */
public interface AsyncMetaClient<V> {

    CompletableFuture<@Nullable MetaItem<V>> get(GetRequest request);

    CompletableFuture<WriteResult> set(SetRequest<? extends V> request);

    CompletableFuture<WriteStatus> delete(DeleteRequest request);

    CompletableFuture<WriteResult> arithmetic(ArithmeticRequest request);

    CompletableFuture<@Nullable Map<String, String>> debug(String key);

    CompletableFuture<@Nullable Map<String, String>> debug(byte[] key);

    CompletableFuture<@Nullable Void> noop();
}
