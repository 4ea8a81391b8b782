// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.transcoder.EncodedValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Entries of one partition of a cache, all of which can be removed at once.
 *
 * <p>The key of an entry contains the generation of the partition. The generation is a separate item on the same
 * server. Removing all entries sets a new generation, so no caller reads the old entries again. The server evicts them
 * in time.
 *
 * <p>A call sends its command under the cached generation, and reads the current generation in the same round trip. If
 * the generation has changed, the command is repeated under the new one. So a call sees each removal that completed
 * before the call began. If the server has lost the generation, a new one that was never used replaces the lost one, so
 * old entries never come back.
 *
 * <p>Threading: thread-safe. Futures complete on the threads of the client.
 *
 * <p>Failure: a call whose generation cannot be read fails, because the entries may be invalid. No command is repeated
 * more than once, and every wait is limited, regardless of the server's answers.
 */
final class Entries {

    /** Longest wait for memcached. It takes effect only if the client's own timeouts are longer. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final int RANDOM_BITS = 40;
    private static final int TEXT_RADIX = 36;

    /** Thrown when the generation differs from the one under which the loader was called. Never leaves this class. */
    private static final class OtherGenerationException extends RuntimeException {

        OtherGenerationException() {
            super("the cache was cleared", null, false, false);
        }
    }

    private final String prefix;
    private final String generationKey;
    private final MemcachedClient<EncodedValue> blocking;
    private final AsyncMemcachedClient<EncodedValue> async;

    /**
     * Generation as last seen. Any thread writes this field; an outdated generation costs its reader only one more
     * round trip.
     */
    private volatile @Nullable String cachedGeneration;

    /** True if a removal of all entries, or of one, has failed. Any thread writes this field. */
    private volatile boolean isClearLost;

    /**
     * Creates the entries of a partition.
     *
     * @param prefix characters before each key
     * @param generationKey key of the generation, with the prefix
     */
    Entries(
            String prefix,
            String generationKey,
            MemcachedClient<EncodedValue> blocking,
            AsyncMemcachedClient<EncodedValue> async) {
        this.prefix = prefix;
        this.generationKey = generationKey;
        this.blocking = blocking;
        this.async = async;
    }

    AsyncMemcachedClient<EncodedValue> async() {
        return async;
    }

    String key(String generation, String text) {
        return prefix + generation + ':' + text;
    }

    @Nullable
    EncodedValue get(String text) {
        String generation = cachedGeneration;
        if (generation == null || isClearLost) {
            return blocking.get(key(await(current()), text));
        }
        String key = key(generation, text);
        MultiGetResult<EncodedValue> found = blocking.multiGet(List.of(generationKey, key));
        EncodedValue item = hit(generationKey, found);
        String now = item == null ? await(created()) : cached(text(item));
        return now.equals(generation) ? hit(key, found) : blocking.get(key(now, text));
    }

    private static @Nullable EncodedValue hit(String key, MultiGetResult<EncodedValue> found) {
        MemcachedException failure = found.failures().get(key);
        if (failure != null) {
            throw failure;
        }
        return found.hits().get(key);
    }

    CompletableFuture<@Nullable EncodedValue> getAsync(String text) {
        return inGeneration(generation -> async.get(key(generation, text)));
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

    /** Records that the removal of all entries, or of one, has failed. The next call first removes all entries. */
    void clearIsLost() {
        isClearLost = true;
    }

    boolean isClearLost() {
        return isClearLost;
    }

    private CompletableFuture<String> clearedNow() {
        String next = next();
        return async.set(generationKey, encoded(next), TimeToLive.NEVER).thenApply(nothing -> {
            cleared(next);
            return next;
        });
    }

    /** Returns the entry, or loads it on a miss. One caller among all processes calls the loader. */
    @Nullable
    EncodedValue load(String text, Duration ttl, ValueLoader<String, EncodedValue> loader, LoadOptions options) {
        String generation = cachedGeneration;
        CompletableFuture<String> now = current();
        try {
            return load(generation == null ? await(now) : generation, now, text, ttl, loader, options);
        } catch (OtherGenerationException e) {
            return load(await(now), now, text, ttl, loader, options);
        }
    }

    private @Nullable EncodedValue load(
            String generation,
            CompletableFuture<String> now,
            String text,
            Duration ttl,
            ValueLoader<String, EncodedValue> loader,
            LoadOptions options) {
        ValueLoader<String, EncodedValue> checked = key -> {
            check(generation, await(now));
            return loader.load(key);
        };
        EncodedValue value = blocking.getOrLoad(key(generation, text), ttl, checked, options);
        check(generation, await(now));
        return value;
    }

    /**
     * Loads like {@link #load}, but without blocking. The loader runs on a thread of the client, and must not block.
     */
    CompletableFuture<@Nullable EncodedValue> loadAsync(
            String text, Duration ttl, Supplier<CompletableFuture<EncodedValue>> loader, LoadOptions options) {
        String generation = cachedGeneration;
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
        return CompletableFuture.<@Nullable Void>completedFuture(null)
                .thenCompose(nothing -> async.getOrLoad(
                        key(generation, text),
                        ttl,
                        key -> now.thenCompose(seen -> {
                            check(generation, seen);
                            return loader.get();
                        }),
                        options))
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

    /** Runs the command under the cached generation; repeats it if the generation has changed. */
    <T extends @Nullable Object> CompletableFuture<T> inGeneration(Function<String, CompletableFuture<T>> command) {
        String generation = cachedGeneration;
        CompletableFuture<String> now = current();
        if (generation == null) {
            return now.thenCompose(command);
        }
        CompletableFuture<T> first = command.apply(generation);
        return now.thenCompose(seen -> seen.equals(generation) ? first : command.apply(seen));
    }

    /** Reads the generation, and creates one if none exists. */
    private CompletableFuture<String> current() {
        if (isClearLost) {
            return clearedNow();
        }
        return async.get(generationKey)
                .thenCompose(item -> item == null ? created() : CompletableFuture.completedFuture(cached(text(item))));
    }

    /**
     * Adds a generation after a read has found none. If the add is refused, another process has just added a
     * generation, or only the zone that was read has lost its own. The generation is then read from the owner zone.
     * During the move of a fleet, a clear by another process may have removed it there too. So the add and the read are
     * repeated once; if the server still neither accepts nor has a generation, the call fails.
     */
    private CompletableFuture<String> created() {
        return createdOrFound()
                .thenCompose(created -> created == null ? createdOrFound() : CompletableFuture.completedFuture(created))
                .thenApply(created -> {
                    if (created == null) {
                        throw new MemcachedServerException(
                                "the server has no generation of the cache under " + generationKey
                                        + ", and rejects a new one",
                                null,
                                null);
                    }
                    return cached(created);
                });
    }

    /** Adds a generation, or reads the existing one. The result is null if the server neither accepted nor had one. */
    private CompletableFuture<@Nullable String> createdOrFound() {
        String first = next();
        return async.add(generationKey, encoded(first), TimeToLive.NEVER)
                .thenCompose(added -> added
                        ? CompletableFuture.<@Nullable String>completedFuture(first)
                        : async.gets(generationKey).thenApply(found -> found == null ? null : text(found.value())));
    }

    /**
     * Waits for the result of a sent command. The wait goes on after an interrupt, so that no eviction is lost.
     *
     * <p>Failure: the failure of the command, unchanged, or a {@link MemcachedTimeoutException} after a minute.
     */
    static <T extends @Nullable Object> T await(CompletableFuture<T> sent) {
        long deadlineNanos = System.nanoTime() + LONGEST_WAIT_NANOS;
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return sent.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw unchecked(e.getCause() == null ? e : Futures.cause(e.getCause()));
        } catch (TimeoutException e) {
            throw new MemcachedTimeoutException("no result of a cache's call within a minute", null, e);
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns a failure as an unchecked exception; throws the failure if it is an {@code Error}. */
    static RuntimeException unchecked(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException e ? e : new CompletionException(cause);
    }

    private String cached(String generation) {
        cachedGeneration = generation;
        return generation;
    }

    /** Returns a generation that was never used before. */
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
