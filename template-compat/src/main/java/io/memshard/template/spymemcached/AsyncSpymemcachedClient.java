// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.argument.Deltas;
import io.memshard.client.argument.Exptime;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.operation.CasLoop;
import io.memshard.client.operation.MultiKeys;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.internal.BulkFuture;
import net.spy.memcached.internal.BulkGetCompletionListener;
import net.spy.memcached.internal.GetCompletionListener;
import net.spy.memcached.internal.GetFuture;
import net.spy.memcached.internal.OperationCompletionListener;
import net.spy.memcached.internal.OperationFuture;
import net.spy.memcached.ops.Mutator;
import net.spy.memcached.ops.OperationStatus;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous client over the futures of one spymemcached client. The commands are those of {@link
 * SpymemcachedClient}, with the same differences from engine memshard.
 *
 * <p>Threading: thread-safe. A thread of the connection completes the futures and decodes the values.
 */
@SuppressWarnings("FutureReturnValueIgnored") // addListener returns the same future.
final class AsyncSpymemcachedClient<V> implements AsyncMemcachedClient<V> {

    private static final AsStoredBytes AS_STORED = AsStoredBytes.INSTANCE;

    /** Blocking client that encodes, decodes and checks. */
    private final SpymemcachedClient<V> blocking;

    AsyncSpymemcachedClient(SpymemcachedClient<V> blocking) {
        this.blocking = blocking;
    }

    private long deadlineNanos() {
        return System.nanoTime() + blocking.timeout().toNanos();
    }

    /** Starts a command. If the command cannot be sent, its future fails; an illegal argument is thrown. */
    private static <T extends @Nullable Object> CompletableFuture<T> started(Supplier<CompletableFuture<T>> start) {
        try {
            return start.get();
        } catch (MemcachedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Sends a command, and reads the value of its future once that future is done. */
    private <R, T extends @Nullable Object> CompletableFuture<T> send(
            Call call,
            Function<MemcachedClient, OperationFuture<R>> command,
            BiFunction<@Nullable R, OperationStatus, T> read) {
        return send(call, deadlineNanos(), command, read);
    }

    private <R, T extends @Nullable Object> CompletableFuture<T> send(
            Call call,
            long deadlineNanos,
            Function<MemcachedClient, OperationFuture<R>> command,
            BiFunction<@Nullable R, OperationStatus, T> read) {
        return started(() -> {
            OperationFuture<R> future = call.submit(command);
            return blocking.connection()
                    .completions()
                    .start(
                            deadlineNanos,
                            done -> future.addListener((OperationCompletionListener) completed -> done.run()),
                            nanos -> {
                                R value = call.await(future, nanos);
                                OperationStatus status = future.getStatus();
                                call.throwIfError(status);
                                return read.apply(value, status);
                            });
        });
    }

    private CompletableFuture<Boolean> sendBoolean(
            String verb, String key, Function<MemcachedClient, OperationFuture<Boolean>> command) {
        return send(blocking.call(verb, key), command, (done, status) -> Boolean.TRUE.equals(done));
    }

    @Override
    public CompletableFuture<@Nullable V> get(String key) {
        Call call = blocking.call("get", key);
        return started(() -> {
            GetFuture<EncodedValue> future = call.submit(spy -> spy.asyncGet(key, AS_STORED));
            return blocking.connection()
                    .completions()
                    .<@Nullable V>start(
                            deadlineNanos(),
                            done -> future.addListener((GetCompletionListener) completed -> done.run()),
                            nanos -> {
                                EncodedValue stored = call.await(future, nanos);
                                if (stored == null) {
                                    call.throwIfError(future.getStatus());
                                    return null;
                                }
                                return blocking.decoded(stored, key);
                            });
        });
    }

    @Override
    public CompletableFuture<@Nullable CasValue<V>> gets(String key) {
        return this.<net.spy.memcached.CASValue<EncodedValue>, @Nullable CasValue<V>>send(
                blocking.call("gets", key),
                spy -> spy.asyncGets(key, AS_STORED),
                (stored, status) -> stored == null
                        ? null
                        : new CasValue<>(blocking.decoded(stored.getValue(), key), stored.getCas()));
    }

    @Override
    public CompletableFuture<@Nullable V> getAndTouch(String key, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        if (blocking.connection().speaksBinary()) {
            return this.<net.spy.memcached.CASValue<EncodedValue>, @Nullable V>send(
                    blocking.call("gat", key),
                    spy -> spy.asyncGetAndTouch(key, exptime, AS_STORED),
                    (stored, status) -> stored == null ? null : blocking.decoded(stored.getValue(), key));
        }
        CompletableFuture<Boolean> touched = sendBoolean("touch", key, spy -> spy.touch(key, exptime));
        return touched.<@Nullable V, @Nullable V>thenCombine(get(key), (existed, value) -> existed ? value : null);
    }

    @Override
    public CompletableFuture<MultiGetResult<V>> multiGet(Collection<String> keys) {
        MultiKeys distinct = new MultiKeys(KeyRule.NONE, keys);
        if (distinct.stored().isEmpty()) {
            return CompletableFuture.completedFuture(blocking.result(distinct, Map.of(), null));
        }
        return Futures.compose(found(distinct.stored()), (found, thrown) -> {
            Throwable cause = thrown == null ? null : Futures.cause(thrown);
            if (cause != null && !(cause instanceof MemcachedException)) {
                return CompletableFuture.failedFuture(cause);
            }
            return CompletableFuture.completedFuture(
                    blocking.result(distinct, found == null ? Map.of() : found, (MemcachedException) cause));
        });
    }

    private CompletableFuture<Map<String, EncodedValue>> found(List<String> keys) {
        Call call = new Call(blocking.connection(), "get", null, blocking.timeout());
        return started(() -> {
            BulkFuture<Map<String, EncodedValue>> future = call.submit(spy -> spy.asyncGetBulk(keys, AS_STORED));
            return blocking.connection()
                    .completions()
                    .start(
                            deadlineNanos(),
                            done -> future.addListener((BulkGetCompletionListener) completed -> done.run()),
                            nanos -> {
                                Map<String, EncodedValue> found = call.await(future, nanos);
                                return found == null ? Map.of() : found;
                            });
        });
    }

    @Override
    public CompletableFuture<MultiGetResult<CasValue<V>>> multiGets(Collection<String> keys) {
        throw new MemcachedUnsupportedException("this client reads no cas uniques of many items: use gets for each");
    }

    @Override
    public CompletableFuture<MultiGetResult<V>> multiGetAndTouch(Collection<String> keys, Duration ttl) {
        throw new MemcachedUnsupportedException("this client does not touch many items: use getAndTouch for each");
    }

    @Override
    public CompletableFuture<@Nullable Void> set(String key, V value, Duration ttl) {
        KeyRule.checkLength(key);
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        CompletableFuture<Boolean> stored = started(() -> {
            EncodedValue encoded = blocking.encode(value);
            return sendBoolean("set", key, spy -> spy.set(key, exptime, encoded, AS_STORED));
        });
        return Futures.<Boolean, @Nullable Void>compose(stored, (done, thrown) -> {
            Throwable cause = thrown == null ? null : Futures.cause(thrown);
            if (cause instanceof MemcachedValueTooLargeException failure) {
                return deletedAfter(new LinkedHashMap<>(Map.of(key, failure)))
                        .thenCompose(nothing -> CompletableFuture.failedFuture(failure));
            }
            if (cause == null && !Boolean.TRUE.equals(done)) {
                cause = blocking.notStored(key);
            }
            return cause == null ? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(cause);
        });
    }

    /**
     * Deletes the items whose new values are too large. Completes when the deletes have completed, regardless of their
     * outcome.
     */
    private CompletableFuture<@Nullable Void> deletedAfter(Map<String, MemcachedException> failures) {
        Set<String> tooLarge = SpymemcachedClient.tooLarge(failures);
        if (tooLarge.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return multiDelete(tooLarge).<@Nullable Void>thenApply(deleted -> {
            SpymemcachedClient.suppress(deleted, failures);
            return null;
        });
    }

    @Override
    public CompletableFuture<MultiSetResult> multiSet(Map<String, ? extends V> values, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        Map<String, MemcachedException> failures = new LinkedHashMap<>();
        Map<String, EncodedValue> encoded = blocking.encodeAll(values, failures);
        long deadlineNanos = deadlineNanos();
        return AsyncManyKeys.run(
                        encoded.keySet(),
                        key -> each(
                                "set", key, deadlineNanos, spy -> spy.set(key, exptime, encoded.get(key), AS_STORED)))
                .thenCompose(stores -> {
                    failures.putAll(stores.failures());
                    stores.notDone().forEach(key -> failures.put(key, blocking.notStored(key)));
                    return deletedAfter(failures).thenApply(nothing -> new MultiSetResult(stores.done(), failures));
                });
    }

    @Override
    public CompletableFuture<MultiDeleteResult> multiDelete(Collection<String> keys) {
        MultiKeys distinct = new MultiKeys(KeyRule.NONE, keys);
        long deadlineNanos = deadlineNanos();
        return AsyncManyKeys.run(distinct.stored(), key -> each("delete", key, deadlineNanos, spy -> spy.delete(key)))
                .thenApply(deletes -> {
                    Map<String, MemcachedException> failures = new LinkedHashMap<>(distinct.illegal());
                    failures.putAll(deletes.failures());
                    return new MultiDeleteResult(deletes.done(), deletes.notDone(), failures);
                });
    }

    /** Sends the command for one of many keys, under their common deadline. */
    private CompletableFuture<Boolean> each(
            String verb, String key, long deadlineNanos, Function<MemcachedClient, OperationFuture<Boolean>> command) {
        Call call = new Call(blocking.connection(), verb, key, blocking.timeout());
        return send(call, deadlineNanos, command, (done, status) -> Boolean.TRUE.equals(done));
    }

    @Override
    public CompletableFuture<Boolean> add(String key, V value, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        return encoded(value, data -> addEncoded(key, data, exptime));
    }

    private CompletableFuture<Boolean> addEncoded(String key, EncodedValue encoded, int exptime) {
        return sendBoolean("add", key, spy -> spy.add(key, exptime, encoded, AS_STORED));
    }

    @Override
    public CompletableFuture<Boolean> replace(String key, V value, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        return encoded(value, data -> sendBoolean("replace", key, spy -> spy.replace(key, exptime, data, AS_STORED)));
    }

    @Override
    public CompletableFuture<Boolean> append(String key, V value) {
        return started(() -> {
            EncodedValue data = blocking.encodePart("append", value);
            return sendBoolean("append", key, spy -> spy.append(key, data, AS_STORED));
        });
    }

    @Override
    public CompletableFuture<Boolean> prepend(String key, V value) {
        return started(() -> {
            EncodedValue data = blocking.encodePart("prepend", value);
            return sendBoolean("prepend", key, spy -> spy.prepend(key, data, AS_STORED));
        });
    }

    private <T> CompletableFuture<T> encoded(V value, Function<EncodedValue, CompletableFuture<T>> command) {
        return started(() -> command.apply(blocking.encode(value)));
    }

    @Override
    public CompletableFuture<CasResult> cas(String key, V value, long casUnique, Duration ttl) {
        blocking.checkCasUnique(casUnique);
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        return encoded(
                value,
                data -> send(
                        blocking.call("cas", key),
                        spy -> spy.asyncCAS(key, casUnique, exptime, data, AS_STORED),
                        (response, status) -> SpymemcachedClient.result(response)));
    }

    @Override
    public CompletableFuture<@Nullable V> update(
            String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change) {
        return new CasLoop<V>(key, ttl, change, blocking.connection().hidesKeys()).start(this);
    }

    @Override
    public CompletableFuture<Boolean> delete(String key) {
        return sendBoolean("delete", key, spy -> spy.delete(key));
    }

    @Override
    public CompletableFuture<Boolean> touch(String key, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        return sendBoolean("touch", key, spy -> spy.touch(key, exptime));
    }

    @Override
    public CompletableFuture<OptionalLong> incr(String key, long delta) {
        return mutate("incr", Mutator.incr, key, Deltas.checkIncr(delta));
    }

    @Override
    public CompletableFuture<OptionalLong> decr(String key, long delta) {
        return mutate("decr", Mutator.decr, key, Deltas.checkDecr(delta));
    }

    private CompletableFuture<OptionalLong> mutate(String verb, Mutator mutator, String key, long delta) {
        return send(
                blocking.call(verb, key), spy -> blocking.mutation(mutator, key, delta), SpymemcachedClient::number);
    }

    @Override
    public CompletableFuture<Long> incr(String key, long delta, long initial, Duration ttl) {
        long checked = Deltas.checkIncr(delta);
        return orCreate("incr", key, initial, ttl, () -> mutate("incr", Mutator.incr, key, checked));
    }

    @Override
    public CompletableFuture<Long> decr(String key, long delta, long initial, Duration ttl) {
        long checked = Deltas.checkDecr(delta);
        return orCreate("decr", key, initial, ttl, () -> mutate("decr", Mutator.decr, key, checked));
    }

    private CompletableFuture<Long> orCreate(
            String verb, String key, long initial, Duration ttl, Supplier<CompletableFuture<OptionalLong>> mutation) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        return orCreate(verb, key, initial, exptime, mutation, SpymemcachedClient.CREATE_ATTEMPTS);
    }

    private CompletableFuture<Long> orCreate(
            String verb,
            String key,
            long initial,
            int exptime,
            Supplier<CompletableFuture<OptionalLong>> mutation,
            int attempts) {
        if (attempts == 0) {
            return CompletableFuture.failedFuture(blocking.unstableItem(verb, key));
        }
        return mutation.get().thenCompose(number -> {
            if (number.isPresent()) {
                return CompletableFuture.completedFuture(number.getAsLong());
            }
            return addEncoded(key, SpymemcachedClient.decimal(initial), exptime)
                    .thenCompose(added -> added
                            ? CompletableFuture.completedFuture(initial)
                            : orCreate(verb, key, initial, exptime, mutation, attempts - 1));
        });
    }

    @Override
    public CompletableFuture<OptionalLong> incrUnsigned(String key, long delta) {
        return CompletableFuture.completedFuture(blocking.incrUnsigned(key, delta)); // refuses
    }

    @Override
    public CompletableFuture<OptionalLong> decrUnsigned(String key, long delta) {
        return CompletableFuture.completedFuture(blocking.decrUnsigned(key, delta)); // refuses
    }

    @Override
    public CompletableFuture<Boolean> invalidate(String key, Duration staleFor) {
        throw SpymemcachedClient.withoutMetaCommands();
    }

    @Override
    public CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Duration ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
            LoadOptions options) {
        throw SpymemcachedClient.withoutMetaCommands();
    }

    @Override
    public CompletableFuture<String> version() {
        return send(
                new Call(blocking.connection(), "version", null, blocking.timeout()),
                spy -> blocking.connection()
                        .send(
                                "version",
                                callback -> blocking.connection().operations().version(callback)),
                (version, status) -> version == null ? "" : version);
    }

    @Override
    public <W> AsyncMemcachedClient<W> withTranscoder(Transcoder<W> transcoder) {
        return new AsyncSpymemcachedClient<>(blocking.withTranscoder(transcoder));
    }

    @Override
    public AsyncMemcachedClient<V> withTimeout(Duration timeout) {
        return new AsyncSpymemcachedClient<>(blocking.withTimeout(timeout));
    }
}
