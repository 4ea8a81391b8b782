// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.connection.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a cache in memcached, which can all be removed at once.
 *
 * <p>The key of an entry has the generation of the cache in it. The generation is an item of its own. Removing all
 * entries sets another generation, so that nobody asks for the old entries any more. The server evicts them in time.
 *
 * <p>A call sends its command under the generation that this client knows, and asks for the generation beside it. So
 * both take one round trip. If the generation is another one, the call is repeated under that one. So a call sees each
 * removal that ended before the call began. A generation that the server has lost is replaced by one that never was
 * before, so old entries never come back.
 *
 * <p>Threading: thread-safe. Futures complete on the threads of the client.
 *
 * <p>Failure: that of the generation is that of the call, because nobody knows whether the entries are valid.
 */
final class Entries {

    private static final int RANDOM_BITS = 40;
    private static final int TEXT_RADIX = 36;

    /** The generation is another one than the loader was called under. Nobody outside sees it. */
    private static final class OtherGenerationException extends RuntimeException {

        OtherGenerationException() {
            super("the cache was cleared", null, false, false);
        }
    }

    private final String prefix;
    private final String generationKey;
    private final MemcachedClient<EncodedValue> blocking;
    private final AsyncMemcachedClient<EncodedValue> async;

    /** As last seen. Written by any thread; an old one costs its reader a round trip, and nothing else. */
    private volatile @Nullable String known;

    Entries(String prefix, MemcachedClient<?> blocking, AsyncMemcachedClient<?> async) {
        this.prefix = prefix;
        this.generationKey = prefix + "#generation";
        this.blocking = asStored(blocking);
        this.async = asStored(async);
    }

    /** An engine that has neither failure policies nor hashed keys fails fast, and refuses keys that are too long. */
    private static MemcachedClient<EncodedValue> asStored(MemcachedClient<?> client) {
        MemcachedClient<EncodedValue> stored = client.withTranscoder(Transcoder.asStored());
        try {
            return stored.withFailurePolicy(FailurePolicy.FAIL_FAST).withHashedKeys();
        } catch (MemcachedUnsupportedException e) {
            return stored;
        }
    }

    private static AsyncMemcachedClient<EncodedValue> asStored(AsyncMemcachedClient<?> client) {
        AsyncMemcachedClient<EncodedValue> stored = client.withTranscoder(Transcoder.asStored());
        try {
            return stored.withFailurePolicy(FailurePolicy.FAIL_FAST).withHashedKeys();
        } catch (MemcachedUnsupportedException e) {
            return stored;
        }
    }

    private String key(String generation, String text) {
        return prefix + generation + ':' + text;
    }

    /** The entry, or null. */
    @Nullable
    EncodedValue get(String text) {
        String generation = known;
        if (generation == null) {
            return blocking.get(key(Futures.result(current()), text));
        }
        String key = key(generation, text);
        MultiGetResult<EncodedValue> found = blocking.multiGet(List.of(generationKey, key));
        EncodedValue item = of(generationKey, found);
        String now = item == null ? Futures.result(current()) : seen(text(item));
        return now.equals(generation) ? of(key, found) : blocking.get(key(now, text));
    }

    private static @Nullable EncodedValue of(String key, MultiGetResult<EncodedValue> found) {
        MemcachedException failure = found.failures().get(key);
        if (failure != null) {
            throw failure;
        }
        return found.hits().get(key);
    }

    CompletableFuture<@Nullable EncodedValue> getAsync(String text) {
        return under(generation -> async.get(key(generation, text)));
    }

    /** The entry, which lives for {@code ttl} from now on. */
    CompletableFuture<@Nullable EncodedValue> getAndTouch(String text, Duration ttl) {
        return under(generation -> async.getAndTouch(key(generation, text), ttl));
    }

    CompletableFuture<@Nullable Void> set(String text, EncodedValue value, Duration ttl) {
        return under(generation -> async.set(key(generation, text), value, ttl));
    }

    CompletableFuture<Boolean> add(String text, EncodedValue value, Duration ttl) {
        return under(generation -> async.add(key(generation, text), value, ttl));
    }

    CompletableFuture<Boolean> touch(String text, Duration ttl) {
        return under(generation -> async.touch(key(generation, text), ttl));
    }

    CompletableFuture<Boolean> delete(String text) {
        return under(generation -> async.delete(key(generation, text)));
    }

    /** Removes all entries that were stored before. */
    CompletableFuture<@Nullable Void> clear() {
        String next = next();
        return async.set(generationKey, encoded(next), TimeToLive.NEVER).thenApply(nothing -> {
            seen(next);
            return null;
        });
    }

    /** The entry, or else the loader's, which one of the callers of all processes calls. */
    @Nullable
    EncodedValue load(String text, Duration ttl, ValueLoader<EncodedValue> loader, LoadOptions options) {
        String generation = known;
        CompletableFuture<String> now = current();
        try {
            return load(generation == null ? Futures.result(now) : generation, now, text, ttl, loader, options);
        } catch (OtherGenerationException e) {
            return load(Futures.result(now), now, text, ttl, loader, options);
        }
    }

    private @Nullable EncodedValue load(
            String generation,
            CompletableFuture<String> now,
            String text,
            Duration ttl,
            ValueLoader<EncodedValue> loader,
            LoadOptions options) {
        ValueLoader<EncodedValue> checked = key -> {
            check(generation, Futures.result(now));
            return loader.load(key);
        };
        EncodedValue value = blocking.getOrLoad(key(generation, text), ttl, checked, options);
        check(generation, Futures.result(now));
        return value;
    }

    /** As {@link #load}. The loader runs on a thread of the client, and must not block. */
    CompletableFuture<@Nullable EncodedValue> loadAsync(
            String text, Duration ttl, Supplier<CompletableFuture<EncodedValue>> loader, LoadOptions options) {
        String generation = known;
        CompletableFuture<String> now = current();
        if (generation == null) {
            return now.thenCompose(first -> loadAsync(first, now, text, ttl, loader, options));
        }
        return Futures.compose(loadAsync(generation, now, text, ttl, loader, options), (value, thrown) -> {
            if (thrown == null) {
                return CompletableFuture.<@Nullable EncodedValue>completedFuture(value);
            }
            Throwable cause = Futures.cause(thrown);
            return cause instanceof OtherGenerationException
                    ? now.thenCompose(other -> loadAsync(other, now, text, ttl, loader, options))
                    : CompletableFuture.<@Nullable EncodedValue>failedFuture(cause);
        });
    }

    private CompletableFuture<@Nullable EncodedValue> loadAsync(
            String generation,
            CompletableFuture<String> now,
            String text,
            Duration ttl,
            Supplier<CompletableFuture<EncodedValue>> loader,
            LoadOptions options) {
        return async.getOrLoad(
                        key(generation, text),
                        ttl,
                        key -> now.thenCompose(seen -> {
                            check(generation, seen);
                            return loader.get();
                        }),
                        options)
                .thenCombine(now, (value, seen) -> {
                    check(generation, seen);
                    return value;
                });
    }

    private static void check(String generation, String now) {
        if (!now.equals(generation)) {
            throw new OtherGenerationException();
        }
    }

    /** Sends a command under the generation that is known, and once more if that is not the one any more. */
    private <T extends @Nullable Object> CompletableFuture<T> under(Function<String, CompletableFuture<T>> command) {
        String generation = known;
        CompletableFuture<String> now = current();
        if (generation == null) {
            return now.thenCompose(command);
        }
        CompletableFuture<T> first = command.apply(generation);
        return now.thenCompose(seen -> seen.equals(generation) ? first : command.apply(seen));
    }

    /** Asks for the generation, and makes one if there is none. */
    private CompletableFuture<String> current() {
        return async.get(generationKey)
                .thenCompose(item -> item == null ? made() : CompletableFuture.completedFuture(seen(text(item))));
    }

    private CompletableFuture<String> made() {
        String first = next();
        return async.add(generationKey, encoded(first), TimeToLive.NEVER)
                .thenCompose(added -> added ? CompletableFuture.completedFuture(seen(first)) : current());
    }

    private String seen(String generation) {
        known = generation;
        return generation;
    }

    /** A generation that never was before. */
    private static String next() {
        long random = ThreadLocalRandom.current().nextLong(1L << RANDOM_BITS);
        return Long.toString(System.currentTimeMillis(), TEXT_RADIX) + '-' + Long.toString(random, TEXT_RADIX);
    }

    private static EncodedValue encoded(String generation) {
        return new EncodedValue(generation.getBytes(StandardCharsets.US_ASCII), 0);
    }

    private static String text(EncodedValue item) {
        return new String(item.data(), StandardCharsets.US_ASCII);
    }
}
