// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The four ways to get or load a value. The calling thread waits for the value. */
enum LoadForm {
    ONE,
    MANY,
    ONE_ASYNCHRONOUS,
    MANY_ASYNCHRONOUS;

    static final String KEY = "key";
    static final Duration TTL = Duration.ofHours(1);

    private static final List<String> KEYS = List.of(KEY);

    <V> V load(
            Memshard memshard,
            Transcoder<V> transcoder,
            FailurePolicy policy,
            LoadOptions options,
            Callable<V> loader) {
        MemcachedClient<V> client = memshard.client(transcoder).withFailurePolicy(policy);
        AsyncMemcachedClient<V> async = memshard.asyncClient(transcoder).withFailurePolicy(policy);
        return switch (this) {
            case ONE -> client.getOrLoad(KEY, TTL, key -> loader.call(), options);
            case MANY ->
                client.multiGetOrLoad(KEYS, TTL, keys -> Map.of(KEY, called(loader)), options)
                        .hitsOrThrow()
                        .get(KEY);
            case ONE_ASYNCHRONOUS ->
                async.getOrLoad(KEY, TTL, key -> supplied(loader), options).join();
            case MANY_ASYNCHRONOUS ->
                async.multiGetOrLoad(
                                KEYS, TTL, keys -> supplied(loader).thenApply(value -> Map.of(KEY, value)), options)
                        .join()
                        .hitsOrThrow()
                        .get(KEY);
        };
    }

    private static <V> V called(Callable<V> loader) {
        try {
            return loader.call();
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    /** On a thread of its own: many loads may block at once. */
    private static <V> CompletableFuture<V> supplied(Callable<V> loader) {
        return CompletableFuture.supplyAsync(() -> called(loader), task -> new Thread(task).start());
    }
}
