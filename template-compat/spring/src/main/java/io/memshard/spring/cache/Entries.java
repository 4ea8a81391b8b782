// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedTimeoutException;
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
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
 * <p>Failure: that of the generation is that of the call, because nobody knows whether the entries are valid. No
 * command
 * is repeated more than once, and no wait is without an end, whatever the servers answer.
 */
final class Entries {

    /** The longest wait for memcached. The time-outs of the client end it before, unless they are longer than this. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.MINUTES.toNanos(1);

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

    /** What sends commands about entries. */
    AsyncMemcachedClient<EncodedValue> async() {
        return async;
    }

    /** The key of an entry under a generation. */
    String key(String generation, String text) {
        return prefix + generation + ':' + text;
    }

    /** The entry, or null. */
    @Nullable
    EncodedValue get(String text) {
        String generation = known;
        if (generation == null) {
            return blocking.get(key(await(current()), text));
        }
        String key = key(generation, text);
        MultiGetResult<EncodedValue> found = blocking.multiGet(List.of(generationKey, key));
        EncodedValue item = of(generationKey, found);
        String now = item == null ? await(made()) : seen(text(item));
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
            ValueLoader<EncodedValue> loader,
            LoadOptions options) {
        ValueLoader<EncodedValue> checked = key -> {
            check(generation, await(now));
            return loader.load(key);
        };
        EncodedValue value = blocking.getOrLoad(key(generation, text), ttl, checked, options);
        check(generation, await(now));
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

    /** Sends a command under the generation that is known, and once more if that is not the one any more. */
    <T extends @Nullable Object> CompletableFuture<T> under(Function<String, CompletableFuture<T>> command) {
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

    /**
     * Makes a generation where a read has found none. If there is one all the same, the zone that was read has lost it,
     * or another process has just made it. Then the zone that decides is asked. No command is repeated: a server that
     * neither has it nor takes it fails the call.
     */
    private CompletableFuture<String> made() {
        String first = next();
        return async.add(generationKey, encoded(first), TimeToLive.NEVER)
                .thenCompose(added -> added
                        ? CompletableFuture.completedFuture(seen(first))
                        : async.gets(generationKey).thenApply(this::decided));
    }

    private String decided(@Nullable CasValue<EncodedValue> found) {
        if (found == null) {
            throw new MemcachedServerException(
                    "the server has no generation of the cache under " + generationKey + ", and does not take one",
                    null,
                    null);
        }
        return seen(text(found.value()));
    }

    /**
     * Waits for the result of what was sent. An interrupt does not end the wait, so that no eviction is lost by it.
     *
     * <p>Failure: that of the command, as it is.
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
            throw new MemcachedTimeoutException("no result of a call of a cache within a minute", null, e);
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A failure as it can be thrown; an Error is thrown. */
    static RuntimeException unchecked(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException e ? e : new CompletionException(cause);
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
