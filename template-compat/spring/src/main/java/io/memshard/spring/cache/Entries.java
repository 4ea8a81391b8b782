// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.transcoder.EncodedValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Entries of one partition of a cache; thread-safe. The key of an entry contains the partition's generation, a text
 * that is stored as a separate item on the same server. A clear stores a new generation, so no caller reads old keys.
 *
 * <p>A call sends its command with the last known generation, and reads the current one in the same round trip. If the
 * two generations differ, the call repeats its command once, with the current generation. So a call finds no entry that
 * a clear removed before the call began. If the server has lost the generation, the call adds one that was never used.
 * If the generation cannot be read, the call fails, because its result could be a removed entry.
 */
final class Entries {

    private static final int RANDOM_BITS = 40;
    private static final int TEXT_RADIX = 36;

    private static final class OtherGenerationException extends RuntimeException {

        OtherGenerationException() {
            super("the cache was cleared", null, false, false);
        }
    }

    private final String prefix;
    private final String generationKey;
    private final MemcachedClient<EncodedValue> blocking;
    private final AsyncMemcachedClient<EncodedValue> async;

    /** Last generation that any thread has read. If this generation is outdated, a call takes one more round trip. */
    private volatile @Nullable String cachedGeneration;

    /** True after a failed eviction or clear, until a call has removed all entries. Written by any thread. */
    volatile boolean isClearLost;

    Entries(String prefix, String generationKey, MemcachedClient<EncodedValue> client) {
        this.prefix = prefix;
        this.generationKey = generationKey;
        this.blocking = client;
        this.async = client.async();
    }

    private String key(String generation, String text) {
        return prefix + generation + ':' + text;
    }

    @Nullable
    EncodedValue get(String text) {
        String generation = cachedGeneration;
        if (generation == null || isClearLost) {
            return blocking.get(key(Way.await(current()), text));
        }
        String key = key(generation, text);
        MultiGetResult<EncodedValue> found = blocking.multiGet(List.of(generationKey, key));
        EncodedValue item = hit(generationKey, found);
        String now = item == null ? Way.await(created()) : cached(text(item));
        return now.equals(generation) ? hit(key, found) : blocking.get(key(now, text));
    }

    CompletableFuture<@Nullable EncodedValue> getAsync(String text) {
        return inGeneration(generation -> async.get(key(generation, text)));
    }

    private static @Nullable EncodedValue hit(String key, MultiGetResult<EncodedValue> found) {
        MemcachedException failure = found.failures().get(key);
        if (failure != null) {
            throw failure;
        }
        return found.hits().get(key);
    }

    CompletableFuture<@Nullable EncodedValue> getAndTouch(String text, Duration ttl) {
        return inGeneration(generation -> async.getAndTouch(key(generation, text), ttl));
    }

    CompletableFuture<@Nullable Void> set(String text, EncodedValue value, Duration ttl) {
        return inGeneration(generation -> async.set(key(generation, text), value, ttl));
    }

    CompletableFuture<Boolean> add(String text, EncodedValue value, Duration ttl) {
        return inGeneration(generation -> async.add(key(generation, text), value, ttl));
    }

    CompletableFuture<Boolean> touch(String text, Duration ttl) {
        return inGeneration(generation -> async.touch(key(generation, text), ttl));
    }

    CompletableFuture<Boolean> delete(String text) {
        return inGeneration(generation -> async.delete(key(generation, text)));
    }

    void cleared(String generation) {
        isClearLost = false;
        cached(generation);
    }

    private CompletableFuture<String> clearedNow() {
        String next = next();
        return async.set(generationKey, encoded(next), TimeToLive.NEVER).thenApply(nothing -> {
            cleared(next);
            return next;
        });
    }

    /** Loader of an entry. {@code ttl} is called after {@code loader} has returned the value. */
    record Loading(Supplier<CompletableFuture<EncodedValue>> loader, Supplier<Duration> ttl, LoadOptions options) {}

    /** Returns an entry. If the entry is missing, one caller calls the loader, and all other callers wait. */
    CompletableFuture<@Nullable EncodedValue> load(String text, Loading loading, Way way) {
        String generation = cachedGeneration;
        CompletableFuture<String> now = current();
        if (generation == null) {
            return way.arrival(now).thenCompose(first -> load(first, now, text, loading, way));
        }
        return load(generation, now, text, loading, way)
                .exceptionallyCompose(thrown -> Futures.cause(thrown) instanceof OtherGenerationException
                        ? way.arrival(now).thenCompose(other -> load(other, now, text, loading, way))
                        : CompletableFuture.<@Nullable EncodedValue>failedFuture(Futures.cause(thrown)));
    }

    private CompletableFuture<@Nullable EncodedValue> load(
            String generation, CompletableFuture<String> now, String text, Loading loading, Way way) {
        String key = key(generation, text);
        Supplier<CompletableFuture<EncodedValue>> loader =
                () -> way.arrival(now).thenCompose(seen -> {
                    check(generation, seen);
                    return loading.loader.get();
                });
        Function<EncodedValue, Duration> ttl = item -> loading.ttl.get();
        // join wraps the loader's exception. The client would treat the bare exception as its own failure.
        return way.<@Nullable EncodedValue>call(
                        () -> blocking.getOrLoad(
                                key, ttl, ignored -> loader.get().join(), loading.options),
                        () -> async.getOrLoad(key, ttl, ignored -> loader.get(), loading.options))
                .thenCompose(value -> way.arrival(now).thenApply(seen -> {
                    check(generation, seen);
                    return value;
                }));
    }

    private static void check(String generation, String now) {
        if (!now.equals(generation)) {
            throw new OtherGenerationException();
        }
    }

    private <T extends @Nullable Object> CompletableFuture<T> inGeneration(
            Function<String, CompletableFuture<T>> command) {
        String generation = cachedGeneration;
        CompletableFuture<String> now = current();
        if (generation == null) {
            return now.thenCompose(command);
        }
        CompletableFuture<T> first = command.apply(generation);
        return now.thenCompose(seen -> seen.equals(generation) ? first : command.apply(seen));
    }

    private CompletableFuture<String> current() {
        if (isClearLost) {
            return clearedNow();
        }
        return async.get(generationKey)
                .thenCompose(item -> item == null ? created() : CompletableFuture.completedFuture(cached(text(item))));
    }

    /** Adds or reads the generation. Tries twice, because a clear during a migration may remove the generation. */
    private CompletableFuture<String> created() {
        return createdOrFound()
                .thenCompose(created -> created == null ? createdOrFound() : CompletableFuture.completedFuture(created))
                .thenApply(created -> {
                    if (created == null) {
                        throw new MemcachedServerException(
                                "the cache needs the item " + generationKey
                                        + ", but the server neither has this item nor stores a new one",
                                null,
                                null);
                    }
                    return cached(created);
                });
    }

    private CompletableFuture<@Nullable String> createdOrFound() {
        String first = next();
        return async.add(generationKey, encoded(first), TimeToLive.NEVER)
                .thenCompose(added -> added
                        ? CompletableFuture.<@Nullable String>completedFuture(first)
                        : async.gets(generationKey).thenApply(found -> found == null ? null : text(found.value())));
    }

    private String cached(String generation) {
        cachedGeneration = generation;
        return generation;
    }

    static String next() {
        long random = ThreadLocalRandom.current().nextLong(1L << RANDOM_BITS);
        return Long.toString(System.currentTimeMillis(), TEXT_RADIX) + '-' + Long.toString(random, TEXT_RADIX);
    }

    static EncodedValue encoded(String generation) {
        return new EncodedValue(generation.getBytes(StandardCharsets.US_ASCII), 0);
    }

    private static String text(EncodedValue item) {
        return new String(item.data(), StandardCharsets.US_ASCII);
    }
}
