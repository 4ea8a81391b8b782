// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import io.memshard.client.AsyncItemOperations;
import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.argument.Exptime;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.exception.Phase;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.operation.CasLoop;
import io.memshard.client.operation.MultiKeys;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import net.spy.memcached.ops.Mutator;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous client over the futures of one spymemcached client.
 *
 * <p>It differs from engine memshard in these points:
 * <ul>
 *   <li>Over text, spymemcached has no get-and-touch, so a touch and then a get are sent.
 *   <li>Over text, a cas unique above {@link Long#MAX_VALUE} and flags above {@link Integer#MAX_VALUE} are rejected,
 *       which spymemcached would write with a sign and cannot read.
 *   <li>Over text, an error reply of the server breaks the connection, which spymemcached then reopens.
 *   <li>The timeout applies to each command, and some calls take several: get-and-touch over text takes two, and
 *       creating a counter at least two. A set of a value that is too large takes an additional delete.
 *   <li>A command that spymemcached has not written within the factory's request timeout is dropped, even if the call's
 *       timeout is longer.
 * </ul>
 *
 * <p>Threading: thread-safe. A thread of the connection completes the futures and decodes the values.
 */
record SpymemcachedClient<V>(Commands<V> commands) implements AsyncItemOperations<V> {

    private static final int CREATE_ATTEMPTS = 8;

    @Override
    public <W> SpymemcachedClient<W> withTranscoder(Transcoder<W> transcoder) {
        return new SpymemcachedClient<>(commands.withTranscoder(transcoder));
    }

    @Override
    public SpymemcachedClient<V> withTimeout(Duration timeout) {
        return new SpymemcachedClient<>(commands.withTimeout(timeout));
    }

    private long deadlineNanos() {
        return System.nanoTime() + commands.timeout().toNanos();
    }

    /** Sends a command. If the command cannot be sent, its future fails; an illegal argument is thrown. */
    private <T extends @Nullable Object> CompletableFuture<T> start(String key, Supplier<Sent<?, T>> command) {
        KeyRule.checkLength(key);
        return start(deadlineNanos(), command);
    }

    private static <T extends @Nullable Object> CompletableFuture<T> start(
            long deadlineNanos, Supplier<Sent<?, T>> command) {
        try {
            return command.get().start(deadlineNanos);
        } catch (MemcachedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<@Nullable V> get(String key) {
        return this.<@Nullable V>start(key, () -> commands.get(key));
    }

    @Override
    public CompletableFuture<@Nullable CasValue<V>> gets(String key) {
        return this.<@Nullable CasValue<V>>start(key, () -> commands.gets(key));
    }

    @Override
    public CompletableFuture<@Nullable V> getAndTouch(String key, Duration ttl) {
        if (commands.connection().speaksBinary()) {
            return this.<@Nullable V>start(key, () -> commands.getAndTouch(key, ttl));
        }
        return touch(key, ttl)
                .<@Nullable V, @Nullable V>thenCombine(get(key), (existed, value) -> existed ? value : null);
    }

    @Override
    public CompletableFuture<MultiGetResult<V>> multiGet(Collection<String> keys) {
        MultiKeys distinct = commands.distinct(keys);
        if (distinct.stored().isEmpty()) {
            return CompletableFuture.completedFuture(commands.result(distinct, Map.of(), null));
        }
        CompletableFuture<Map<String, EncodedValue>> read =
                start(deadlineNanos(), () -> commands.found(distinct.stored()));
        return Futures.compose(read, (found, thrown) -> {
            Throwable cause = thrown == null ? null : Futures.cause(thrown);
            if (cause != null && !(cause instanceof MemcachedException)) {
                return CompletableFuture.failedFuture(cause);
            }
            return CompletableFuture.completedFuture(
                    commands.result(distinct, found == null ? Map.of() : found, (MemcachedException) cause));
        });
    }

    @Override
    public CompletableFuture<@Nullable Void> set(String key, V value, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        CompletableFuture<Boolean> stored = start(key, () -> commands.set(key, commands.encode(value), exptime));
        return Futures.<Boolean, @Nullable Void>compose(stored, (done, thrown) -> {
            Throwable cause = thrown == null ? null : Futures.cause(thrown);
            if (cause instanceof MemcachedValueTooLargeException failure) {
                return deletedAfter(Map.of(key, failure))
                        .thenCompose(nothing -> CompletableFuture.failedFuture(failure));
            }
            if (cause == null && !Boolean.TRUE.equals(done)) {
                cause = commands.notStored(key);
            }
            return cause == null ? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(cause);
        });
    }

    /**
     * Deletes the items whose new values are too large, and attaches each failed delete, as a suppressed exception, to
     * the failure of its key.
     */
    CompletableFuture<Boolean> deletedAfter(Map<String, ? extends MemcachedException> failures) {
        Set<String> tooLarge = new LinkedHashSet<>();
        failures.forEach((key, failure) -> {
            if (failure instanceof MemcachedValueTooLargeException) {
                tooLarge.add(key);
            }
        });
        if (tooLarge.isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        return multiDelete(tooLarge).thenApply(deleted -> {
            deleted.failures().forEach((key, second) -> {
                MemcachedException first = failures.get(key);
                if (first != null) {
                    first.addSuppressed(second);
                }
            });
            return true;
        });
    }

    @Override
    public CompletableFuture<MultiSetResult> multiSet(Map<String, ? extends V> values, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        Map<String, EncodedValue> encoded = new LinkedHashMap<>();
        Map<String, MemcachedException> failures = new LinkedHashMap<>(commands.distinct(
                        Objects.requireNonNull(values, "values is null").keySet())
                .illegal());
        values.forEach((key, value) -> {
            try {
                if (!failures.containsKey(key)) {
                    encoded.put(key, commands.encode(value));
                }
            } catch (MemcachedValueTooLargeException e) {
                failures.put(key, e);
            }
        });
        return each(
                        "set",
                        encoded.keySet(),
                        key -> commands.set(key, Objects.requireNonNull(encoded.get(key)), exptime))
                .thenCompose(stores -> {
                    failures.putAll(stores.failures());
                    stores.notDone().forEach(key -> failures.put(key, commands.notStored(key)));
                    return deletedAfter(failures).thenApply(deleted -> new MultiSetResult(stores.done(), failures));
                });
    }

    @Override
    public CompletableFuture<MultiDeleteResult> multiDelete(Collection<String> keys) {
        MultiKeys distinct = commands.distinct(keys);
        return each("delete", distinct.stored(), commands::delete).thenApply(deletes -> {
            Map<String, MemcachedException> failures = new LinkedHashMap<>(distinct.illegal());
            failures.putAll(deletes.failures());
            return new MultiDeleteResult(deletes.done(), deletes.notDone(), failures);
        });
    }

    /** Sends the command for each key, under one deadline. */
    private CompletableFuture<AsyncManyKeys> each(
            String verb, Collection<String> keys, Function<String, Sent<?, Boolean>> command) {
        long deadlineNanos = deadlineNanos();
        return AsyncManyKeys.run(
                keys,
                key -> start(deadlineNanos, () -> {
                    if (deadlineNanos - System.nanoTime() <= 0) {
                        throw new MemcachedTimeoutException(
                                "the request timeout expired before this part of the operation on many keys was sent",
                                commands.connection().context(verb, key, Phase.QUEUED),
                                null);
                    }
                    return command.apply(key);
                }));
    }

    @Override
    public CompletableFuture<Boolean> add(String key, V value, Duration ttl) {
        return start(key, () -> commands.add(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> replace(String key, V value, Duration ttl) {
        return start(key, () -> commands.replace(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> append(String key, V value) {
        return start(key, () -> commands.append(key, value));
    }

    @Override
    public CompletableFuture<Boolean> prepend(String key, V value) {
        return start(key, () -> commands.prepend(key, value));
    }

    @Override
    public CompletableFuture<CasResult> cas(String key, V value, long casUnique, Duration ttl) {
        return start(key, () -> commands.cas(key, value, casUnique, ttl));
    }

    @Override
    public CompletableFuture<@Nullable V> update(
            String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change) {
        return new CasLoop<V>(key, ttl, change, commands.connection().hidesKeys()).start(this);
    }

    @Override
    public CompletableFuture<Boolean> delete(String key) {
        return start(key, () -> commands.delete(key));
    }

    @Override
    public CompletableFuture<Boolean> touch(String key, Duration ttl) {
        return start(key, () -> commands.touch(key, ttl));
    }

    @Override
    public CompletableFuture<OptionalLong> incr(String key, long delta) {
        return start(key, () -> commands.mutate(Mutator.incr, key, delta));
    }

    @Override
    public CompletableFuture<OptionalLong> decr(String key, long delta) {
        return start(key, () -> commands.mutate(Mutator.decr, key, delta));
    }

    @Override
    public CompletableFuture<Long> incr(String key, long delta, long initial, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        return orCreate(Mutator.incr, key, delta, initial, exptime, CREATE_ATTEMPTS);
    }

    @Override
    public CompletableFuture<Long> decr(String key, long delta, long initial, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        return orCreate(Mutator.decr, key, delta, initial, exptime, CREATE_ATTEMPTS);
    }

    private CompletableFuture<Long> orCreate(
            Mutator mutator, String key, long delta, long initial, int exptime, int attempts) {
        if (attempts == 0) {
            return CompletableFuture.failedFuture(new MemcachedServerException(
                    "the item was deleted and created " + CREATE_ATTEMPTS + " times between " + mutator + " and add",
                    commands.connection().context(mutator.name(), key, Phase.REPLIED),
                    null));
        }
        CompletableFuture<OptionalLong> mutation = start(key, () -> commands.mutate(mutator, key, delta));
        return mutation.thenCompose(number -> {
            if (number.isPresent()) {
                return CompletableFuture.completedFuture(number.getAsLong());
            }
            byte[] decimal = Long.toUnsignedString(initial).getBytes(StandardCharsets.US_ASCII);
            CompletableFuture<Boolean> created =
                    start(key, () -> commands.add(key, new EncodedValue(decimal, 0), exptime));
            return created.thenCompose(isCreated -> isCreated
                    ? CompletableFuture.completedFuture(initial)
                    : orCreate(mutator, key, delta, initial, exptime, attempts - 1));
        });
    }

    @Override
    public CompletableFuture<String> version() {
        return start(deadlineNanos(), commands::version);
    }
}
