// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import io.memshard.client.CasValue;
import io.memshard.client.argument.Deltas;
import io.memshard.client.argument.Exptime;
import io.memshard.client.argument.ValueCoder;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.exception.Phase;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
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
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import net.spy.memcached.CASResponse;
import net.spy.memcached.CASValue;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.internal.BulkFuture;
import net.spy.memcached.internal.BulkGetCompletionListener;
import net.spy.memcached.internal.GetCompletionListener;
import net.spy.memcached.internal.GetFuture;
import net.spy.memcached.internal.OperationFuture;
import net.spy.memcached.ops.Mutator;
import net.spy.memcached.ops.OperationStatus;
import net.spy.memcached.ops.StatusCode;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous client over one spymemcached client; thread-safe. Get-and-touch sends a touch and then a get, because
 * spymemcached has no get-and-touch in the text protocol.
 */
@SuppressWarnings("FutureReturnValueIgnored") // addListener returns the same future.
public record SpymemcachedClient<V>(SpymemcachedConnection connection, ValueCoder<V> coder, Duration timeout) {

    private static final AsStoredBytes AS_STORED = AsStoredBytes.INSTANCE;
    private static final int CREATE_ATTEMPTS = 8;

    static <V> SpymemcachedClient<V> of(SpymemcachedConnection connection, Transcoder<V> transcoder, Duration timeout) {
        return new SpymemcachedClient<>(
                connection,
                new ValueCoder<>(
                        transcoder, connection.maxValueBytes(), Clock.systemUTC(), connection.hidesKeys(), true),
                timeout);
    }

    public <W> SpymemcachedClient<W> withTranscoder(Transcoder<W> transcoder) {
        return of(connection, transcoder, timeout);
    }

    public SpymemcachedClient<V> withTimeout(Duration newTimeout) {
        return new SpymemcachedClient<>(connection, coder, newTimeout);
    }

    private long deadlineNanos() {
        return System.nanoTime() + timeout.toNanos();
    }

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

    private <R, T extends @Nullable Object> Sent<R, T> send(
            String verb,
            @Nullable String key,
            Function<MemcachedClient, OperationFuture<R>> command,
            BiFunction<@Nullable R, OperationStatus, T> read) {
        return new Call(connection, verb, key, timeout).send(command, read);
    }

    private Sent<?, Boolean> sendBoolean(
            String verb, String key, Function<MemcachedClient, OperationFuture<Boolean>> command) {
        return send(verb, key, command, (done, status) -> Boolean.TRUE.equals(done));
    }

    /** Encodes the value before the call returns, because a multi-set may send the value later. */
    EncodedValue encode(V value) {
        return checked(coder.encode(value));
    }

    private static EncodedValue checked(EncodedValue encoded) {
        checkHasNoSign(encoded.flags(), "the transcoder wrote flags " + Integer.toUnsignedString(encoded.flags()));
        return encoded;
    }

    /** Rejects a negative number: the server would reject its line, and read the value as commands. */
    private static void checkHasNoSign(long number, String what) {
        if (number < 0) {
            throw new IllegalArgumentException(
                    what + ", which spymemcached would send as a negative number: use engine MEMSHARD");
        }
    }

    private static int exptime(Duration ttl) {
        return Exptime.of(ttl, Clock.systemUTC());
    }

    Sent<?, @Nullable V> sendGet(String key) {
        Call call = new Call(connection, "get", key, timeout);
        GetFuture<EncodedValue> future = call.submit(spy -> spy.asyncGet(key, AS_STORED));
        return new Sent<EncodedValue, @Nullable V>(
                call, future, done -> future.addListener((GetCompletionListener) completed -> done.run()), stored -> {
                    if (stored == null) {
                        call.throwIfError(future.getStatus());
                    }
                    return stored == null ? null : coder.decode(key, stored);
                });
    }

    public CompletableFuture<@Nullable V> get(String key) {
        return this.<@Nullable V>start(key, () -> sendGet(key));
    }

    public CompletableFuture<@Nullable CasValue<V>> gets(String key) {
        return this.<@Nullable CasValue<V>>start(
                key,
                () -> this.<CASValue<EncodedValue>, @Nullable CasValue<V>>send(
                        "gets",
                        key,
                        spy -> spy.asyncGets(key, AS_STORED),
                        (stored, status) -> stored == null
                                ? null
                                : new CasValue<>(coder.decode(key, stored.getValue()), stored.getCas())));
    }

    public CompletableFuture<@Nullable V> getAndTouch(String key, Duration ttl) {
        return touch(key, ttl)
                .<@Nullable V, @Nullable V>thenCombine(get(key), (existed, value) -> existed ? value : null);
    }

    public CompletableFuture<MultiGetResult<V>> multiGet(Collection<String> keys) {
        MultiKeys distinct = new MultiKeys(KeyRule.NONE, keys);
        if (distinct.stored().isEmpty()) {
            return CompletableFuture.completedFuture(result(distinct, Map.of(), null));
        }
        CompletableFuture<Map<String, EncodedValue>> read =
                start(deadlineNanos(), () -> sendMultiGet(distinct.stored()));
        return Futures.compose(read, (found, thrown) -> {
            Throwable cause = thrown == null ? null : Futures.cause(thrown);
            if (cause != null && !(cause instanceof MemcachedException)) {
                return CompletableFuture.failedFuture(cause);
            }
            return CompletableFuture.completedFuture(
                    result(distinct, found == null ? Map.of() : found, (MemcachedException) cause));
        });
    }

    private Sent<?, Map<String, EncodedValue>> sendMultiGet(Collection<String> keys) {
        Call call = new Call(connection, "get", null, timeout);
        BulkFuture<Map<String, EncodedValue>> future = call.submit(spy -> spy.asyncGetBulk(keys, AS_STORED));
        return new Sent<Map<String, EncodedValue>, Map<String, EncodedValue>>(
                call,
                future,
                done -> future.addListener((BulkGetCompletionListener) completed -> done.run()),
                found -> found == null ? Map.of() : found);
    }

    private MultiGetResult<V> result(
            MultiKeys distinct, Map<String, EncodedValue> found, @Nullable MemcachedException failure) {
        Map<String, EncodedValue> hits = new LinkedHashMap<>();
        Set<String> misses = new LinkedHashSet<>();
        Map<String, MemcachedException> failures = new LinkedHashMap<>(distinct.failures());
        for (String key : distinct.stored()) {
            EncodedValue stored = found.get(key);
            if (failure != null) {
                failures.put(key, failure);
            } else if (stored == null) {
                misses.add(key);
            } else {
                hits.put(key, stored);
            }
        }
        return new MultiGetResult<>(hits, misses, failures).map((key, stored) -> coder.decode(key, stored));
    }

    Sent<?, Boolean> sendSet(String key, EncodedValue encoded, int exptime) {
        return sendBoolean("set", key, spy -> spy.set(key, exptime, encoded, AS_STORED));
    }

    MemcachedServerException notStored(String key) {
        return new MemcachedServerException(
                "the server did not store the value", connection.context("set", key, Phase.REPLIED), null);
    }

    public CompletableFuture<@Nullable Void> set(String key, V value, Duration ttl) {
        int exptime = exptime(ttl);
        CompletableFuture<Boolean> stored = start(key, () -> sendSet(key, encode(value), exptime));
        return Futures.<Boolean, @Nullable Void>compose(stored, (done, thrown) -> {
            Throwable cause = thrown == null ? null : Futures.cause(thrown);
            if (cause instanceof MemcachedValueTooLargeException failure) {
                return deletedAfter(Map.of(key, failure))
                        .thenCompose(nothing -> CompletableFuture.failedFuture(failure));
            }
            if (cause == null && !Boolean.TRUE.equals(done)) {
                cause = notStored(key);
            }
            return cause == null ? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(cause);
        });
    }

    CompletableFuture<Boolean> deletedAfter(Map<String, ? extends MemcachedException> failures) {
        Set<String> tooLarge = new LinkedHashSet<>();
        failures.forEach((key, failure) -> {
            if (failure instanceof MemcachedValueTooLargeException) {
                tooLarge.add(key);
            }
        });
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

    public CompletableFuture<MultiWriteResult> multiSet(Map<String, ? extends V> values, Duration ttl) {
        int exptime = exptime(ttl);
        Map<String, EncodedValue> encoded = new LinkedHashMap<>();
        Set<String> keys = Objects.requireNonNull(values, "values is null").keySet();
        Map<String, MemcachedException> failures = new LinkedHashMap<>(new MultiKeys(KeyRule.NONE, keys).failures());
        values.forEach((key, value) -> {
            try {
                if (!failures.containsKey(key)) {
                    encoded.put(key, encode(value));
                }
            } catch (MemcachedValueTooLargeException e) {
                failures.put(key, e);
            }
        });
        return each("set", encoded.keySet(), key -> sendSet(key, Objects.requireNonNull(encoded.get(key)), exptime))
                .thenCompose(stores -> {
                    failures.putAll(stores.failures());
                    stores.notDone().forEach(key -> failures.put(key, notStored(key)));
                    return deletedAfter(failures)
                            .thenApply(deleted -> new MultiWriteResult(stores.done(), Set.of(), failures));
                });
    }

    public CompletableFuture<MultiWriteResult> multiDelete(Collection<String> keys) {
        MultiKeys distinct = new MultiKeys(KeyRule.NONE, keys);
        return each("delete", distinct.stored(), this::sendDelete).thenApply(deletes -> {
            Map<String, MemcachedException> failures = new LinkedHashMap<>(distinct.failures());
            failures.putAll(deletes.failures());
            return new MultiWriteResult(deletes.done(), deletes.notDone(), failures);
        });
    }

    private CompletableFuture<AsyncManyKeys> each(
            String verb, Collection<String> keys, Function<String, Sent<?, Boolean>> command) {
        long deadlineNanos = deadlineNanos();
        return AsyncManyKeys.run(
                keys,
                key -> start(deadlineNanos, () -> {
                    if (deadlineNanos - System.nanoTime() <= 0) {
                        throw new MemcachedTimeoutException(
                                "the request timeout expired before the command for this key was sent",
                                connection.context(verb, key, Phase.QUEUED),
                                null);
                    }
                    return command.apply(key);
                }));
    }

    private Sent<?, Boolean> sendAdd(String key, EncodedValue encoded, int exptime) {
        return sendBoolean("add", key, spy -> spy.add(key, exptime, encoded, AS_STORED));
    }

    public CompletableFuture<Boolean> add(String key, V value, Duration ttl) {
        return start(key, () -> sendAdd(key, encode(value), exptime(ttl)));
    }

    public CompletableFuture<Boolean> replace(String key, V value, Duration ttl) {
        return start(key, () -> {
            EncodedValue encoded = encode(value);
            int exptime = exptime(ttl);
            return sendBoolean("replace", key, spy -> spy.replace(key, exptime, encoded, AS_STORED));
        });
    }

    public CompletableFuture<Boolean> append(String key, V value) {
        return start(key, () -> {
            EncodedValue part = checked(coder.encodePart("append", value));
            return sendBoolean("append", key, spy -> spy.append(key, part, AS_STORED));
        });
    }

    public CompletableFuture<Boolean> prepend(String key, V value) {
        return start(key, () -> {
            EncodedValue part = checked(coder.encodePart("prepend", value));
            return sendBoolean("prepend", key, spy -> spy.prepend(key, part, AS_STORED));
        });
    }

    public CompletableFuture<WriteStatus> cas(String key, V value, long casUnique, Duration ttl) {
        return start(key, () -> {
            CasValue.checkCasUnique(casUnique);
            checkHasNoSign(casUnique, "casUnique is " + Long.toUnsignedString(casUnique));
            int exptime = exptime(ttl);
            EncodedValue encoded = encode(value);
            return send(
                    "cas",
                    key,
                    spy -> spy.asyncCAS(key, casUnique, exptime, encoded, AS_STORED),
                    (response, status) -> response == CASResponse.OK
                            ? WriteStatus.DONE
                            : response == CASResponse.EXISTS ? WriteStatus.EXISTS : WriteStatus.NOT_FOUND);
        });
    }

    public CompletableFuture<@Nullable V> update(
            String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change) {
        return new CasLoop<V>(
                        key,
                        connection.hidesKeys(),
                        change,
                        false,
                        () -> gets(key),
                        (read, changed) -> read == null
                                ? add(key, changed, ttl)
                                : cas(key, changed, read.casUnique(), ttl).thenApply(WriteStatus.DONE::equals))
                .start();
    }

    private Sent<?, Boolean> sendDelete(String key) {
        return sendBoolean("delete", key, spy -> spy.delete(key));
    }

    public CompletableFuture<Boolean> delete(String key) {
        return start(key, () -> sendDelete(key));
    }

    public CompletableFuture<Boolean> touch(String key, Duration ttl) {
        int exptime = exptime(ttl);
        return start(key, () -> sendBoolean("touch", key, spy -> spy.touch(key, exptime)));
    }

    private Sent<?, OptionalLong> sendMutate(Mutator mutator, String key, long delta) {
        long checked = mutator == Mutator.incr ? Deltas.checkIncr(delta) : Deltas.checkDecr(delta);
        return send(
                mutator.name(),
                key,
                spy -> connection.send(
                        key, callback -> connection.operations().mutate(mutator, key, checked, 0, 0, callback)),
                SpymemcachedClient::number);
    }

    private static OptionalLong number(@Nullable String number, OperationStatus status) {
        if (number == null || status.getStatusCode() == StatusCode.ERR_NOT_FOUND) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Long.parseUnsignedLong(number));
    }

    public CompletableFuture<OptionalLong> incr(String key, long delta) {
        return start(key, () -> sendMutate(Mutator.incr, key, delta));
    }

    public CompletableFuture<OptionalLong> decr(String key, long delta) {
        return start(key, () -> sendMutate(Mutator.decr, key, delta));
    }

    public CompletableFuture<Long> incr(String key, long delta, long initial, Duration ttl) {
        return orCreate(Mutator.incr, key, delta, initial, exptime(ttl), CREATE_ATTEMPTS);
    }

    public CompletableFuture<Long> decr(String key, long delta, long initial, Duration ttl) {
        return orCreate(Mutator.decr, key, delta, initial, exptime(ttl), CREATE_ATTEMPTS);
    }

    private CompletableFuture<Long> orCreate(
            Mutator mutator, String key, long delta, long initial, int exptime, int attempts) {
        if (attempts == 0) {
            return CompletableFuture.failedFuture(new MemcachedServerException(
                    "other callers deleted and created the item between " + mutator + " and add, in each of "
                            + CREATE_ATTEMPTS + " attempts",
                    connection.context(mutator.name(), key, Phase.REPLIED),
                    null));
        }
        CompletableFuture<OptionalLong> mutation = start(key, () -> sendMutate(mutator, key, delta));
        return mutation.thenCompose(number -> {
            if (number.isPresent()) {
                return CompletableFuture.completedFuture(number.getAsLong());
            }
            byte[] decimal = Long.toUnsignedString(initial).getBytes(StandardCharsets.US_ASCII);
            CompletableFuture<Boolean> created = start(key, () -> sendAdd(key, new EncodedValue(decimal, 0), exptime));
            return created.thenCompose(isCreated -> isCreated
                    ? CompletableFuture.completedFuture(initial)
                    : orCreate(mutator, key, delta, initial, exptime, attempts - 1));
        });
    }

    Sent<?, String> sendVersion() {
        return send(
                "version",
                null,
                spy -> connection.send(
                        "version", callback -> connection.operations().version(callback)),
                (version, status) -> version == null ? "" : version);
    }

    public CompletableFuture<String> version() {
        return start(deadlineNanos(), this::sendVersion);
    }
}
