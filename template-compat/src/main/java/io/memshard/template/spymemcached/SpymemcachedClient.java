// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.argument.Deltas;
import io.memshard.client.argument.Exptime;
import io.memshard.client.argument.ValueCoder;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.exception.Phase;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.operation.MultiKeys;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import net.spy.memcached.CASResponse;
import net.spy.memcached.CASValue;
import net.spy.memcached.internal.GetFuture;
import net.spy.memcached.internal.OperationFuture;
import net.spy.memcached.ops.Mutator;
import net.spy.memcached.ops.OperationStatus;
import net.spy.memcached.ops.StatusCode;
import org.jspecify.annotations.Nullable;

/**
 * Blocking client over one spymemcached client.
 *
 * <p>It differs from engine memshard in these points:
 * <ul>
 *   <li>Over text, spymemcached has no get-and-touch, so a touch and then a get are sent.
 *   <li>A delta above {@link Long#MAX_VALUE} is rejected. Over text, so are such a cas unique and flags above {@link
 *       Integer#MAX_VALUE}, which spymemcached would write with a sign and cannot read.
 *   <li>Over text, an error reply of the server breaks the connection, which spymemcached then reopens.
 *   <li>The timeout applies to each command, and some calls take several: get-and-touch over text takes two, and
 *       creating a counter at least two. A set of a value that is too large takes an additional delete.
 *   <li>A command that spymemcached has not written within the factory's request timeout is dropped, even if the call's
 *       timeout is longer.
 *   <li>Meta commands, getOrLoad and failure policies are unsupported.
 * </ul>
 *
 * <p>Threading: thread-safe.
 */
final class SpymemcachedClient<V> implements MemcachedClient<V> {

    private static final AsStoredBytes AS_STORED = AsStoredBytes.INSTANCE;
    static final int CREATE_ATTEMPTS = 8;

    /** Exptime that means "do not create" in spymemcached's binary protocol. */
    private static final int NEVER_CREATE = -1;

    private final SpymemcachedConnection connection;
    private final ValueCoder<V> coder;
    private final Duration timeout;

    SpymemcachedClient(SpymemcachedConnection connection, Transcoder<V> transcoder, Duration timeout) {
        this.connection = connection;
        this.coder = new ValueCoder<>(
                transcoder, connection.maxValueBytes(), Clock.systemUTC(), connection.hidesKeys(), true);
        this.timeout = timeout;
    }

    SpymemcachedConnection connection() {
        return connection;
    }

    Duration timeout() {
        return timeout;
    }

    /** Returns a command ready to be sent; rejects an illegal key. */
    Call call(String verb, String key) {
        KeyRule.checkLength(key);
        return new Call(connection, verb, key, timeout);
    }

    @Override
    public MetaClient<V> meta() {
        throw withoutMetaCommands();
    }

    @Override
    public @Nullable V getOrLoad(
            String key, Duration ttl, ValueLoader<? super String, ? extends V> loader, LoadOptions options) {
        throw withoutMetaCommands();
    }

    @Override
    public boolean invalidate(String key, Duration staleFor) {
        throw withoutMetaCommands();
    }

    static MemcachedUnsupportedException withoutMetaCommands() {
        return unsupported("spymemcached speaks the classic text and the binary protocol only; for meta commands and"
                + " getOrLoad use engine MEMSHARD");
    }

    private static MemcachedUnsupportedException unsupported(String message) {
        return new MemcachedUnsupportedException(message);
    }

    @Override
    public MemcachedClient<V> withFailurePolicy(FailurePolicy policy) {
        throw unsupported("spymemcached has no failure policies: catch MemcachedException, or use engine MEMSHARD");
    }

    @Override
    public <W> SpymemcachedClient<W> withTranscoder(Transcoder<W> other) {
        return new SpymemcachedClient<>(connection, other, timeout);
    }

    @Override
    public SpymemcachedClient<V> withTimeout(Duration newTimeout) {
        return new SpymemcachedClient<>(connection, coder.transcoder(), newTimeout);
    }

    @Override
    public @Nullable V get(String key) {
        Call call = call("get", key);
        GetFuture<EncodedValue> future = call.submit(spy -> spy.asyncGet(key, AS_STORED));
        return found(call, future, key);
    }

    private @Nullable V found(Call call, GetFuture<EncodedValue> future, String key) {
        EncodedValue stored = call.await(future);
        if (stored == null) {
            call.throwIfError(future.getStatus());
            return null;
        }
        return decoded(stored, key);
    }

    V decoded(EncodedValue stored, String key) {
        return coder.decode(key, stored);
    }

    @Override
    public @Nullable CasValue<V> gets(String key) {
        Call call = call("gets", key);
        OperationFuture<CASValue<EncodedValue>> future = call.submit(spy -> spy.asyncGets(key, AS_STORED));
        CASValue<EncodedValue> stored = call.await(future);
        if (stored == null) {
            call.throwIfError(future.getStatus());
            return null;
        }
        return new CasValue<>(decoded(stored.getValue(), key), stored.getCas());
    }

    @Override
    public @Nullable V getAndTouch(String key, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        if (connection.speaksBinary()) {
            Call call = call("gat", key);
            OperationFuture<CASValue<EncodedValue>> future =
                    call.submit(spy -> spy.asyncGetAndTouch(key, exptime, AS_STORED));
            CASValue<EncodedValue> stored = call.await(future);
            if (stored == null) {
                call.throwIfError(future.getStatus());
                return null;
            }
            return decoded(stored.getValue(), key);
        }
        Call touch = call("touch", key);
        Call get = call("get", key);
        OperationFuture<Boolean> touched = touch.submit(spy -> spy.touch(key, exptime));
        GetFuture<EncodedValue> future = get.submit(spy -> spy.asyncGet(key, AS_STORED));
        return done(touch, touched) ? found(get, future, key) : null;
    }

    @Override
    public MultiGetResult<V> multiGet(Collection<String> keys) {
        MultiKeys distinct = new MultiKeys(KeyRule.NONE, keys);
        try {
            return result(distinct, distinct.stored().isEmpty() ? Map.of() : found(distinct.stored()), null);
        } catch (MemcachedException e) {
            return result(distinct, Map.of(), e);
        }
    }

    /**
     * Returns the outcome for each key.
     *
     * @param failure common failure of all legal keys, or null
     */
    MultiGetResult<V> result(
            MultiKeys distinct, Map<String, EncodedValue> found, @Nullable MemcachedException failure) {
        Map<String, EncodedValue> hits = new LinkedHashMap<>();
        Set<String> misses = new LinkedHashSet<>();
        Map<String, MemcachedException> failures = new LinkedHashMap<>(distinct.illegal());
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
        return new MultiGetResult<>(hits, misses, failures).map((key, stored) -> decoded(stored, key));
    }

    private Map<String, EncodedValue> found(Collection<String> keys) {
        Call call = new Call(connection, "get", null, timeout);
        Map<String, EncodedValue> found = call.await(call.submit(spy -> spy.asyncGetBulk(keys, AS_STORED)));
        return found == null ? Map.of() : found;
    }

    @Override
    public void set(String key, V value, Duration ttl) {
        KeyRule.checkLength(key);
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        try {
            EncodedValue encoded = encode(value);
            if (!run("set", key, spy -> spy.set(key, exptime, encoded, AS_STORED))) {
                throw notStored(key);
            }
        } catch (MemcachedValueTooLargeException e) {
            deleteAfter(Map.of(key, e));
            throw e;
        }
    }

    /** Deletes the items whose new values are too large. */
    private void deleteAfter(Map<String, MemcachedException> failures) {
        suppress(multiDelete(tooLarge(failures)), failures);
    }

    static Set<String> tooLarge(Map<String, MemcachedException> failures) {
        Set<String> tooLarge = new LinkedHashSet<>();
        failures.forEach((key, failure) -> {
            if (failure instanceof MemcachedValueTooLargeException) {
                tooLarge.add(key);
            }
        });
        return tooLarge;
    }

    /** Attaches each failed delete, as a suppressed exception, to the failure of the key's too large value. */
    static void suppress(MultiDeleteResult deleted, Map<String, MemcachedException> failures) {
        deleted.failures().forEach((key, second) -> {
            MemcachedException first = failures.get(key);
            if (first != null) {
                first.addSuppressed(second);
            }
        });
    }

    @Override
    public MultiSetResult multiSet(Map<String, ? extends V> values, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        Map<String, MemcachedException> failures = new LinkedHashMap<>();
        Map<String, EncodedValue> encoded = encodeAll(values, failures);
        ManyKeys stores = new ManyKeys(
                        connection, "set", timeout, (spy, key) -> spy.set(key, exptime, encoded.get(key), AS_STORED))
                .run(encoded.keySet());
        failures.putAll(stores.failures);
        stores.notDone.forEach(key -> failures.put(key, notStored(key)));
        deleteAfter(failures);
        return new MultiSetResult(Collections.unmodifiableSet(stores.done), Collections.unmodifiableMap(failures));
    }

    /** Returns the encoded values; adds illegal keys and too large values to {@code failures}. */
    Map<String, EncodedValue> encodeAll(Map<String, ? extends V> values, Map<String, MemcachedException> failures) {
        Map<String, EncodedValue> encoded = new LinkedHashMap<>();
        MultiKeys keys = new MultiKeys(
                KeyRule.NONE, Objects.requireNonNull(values, "values is null").keySet());
        failures.putAll(keys.illegal());
        values.forEach((key, value) -> {
            try {
                if (!failures.containsKey(key)) {
                    encoded.put(key, encode(value));
                }
            } catch (MemcachedValueTooLargeException e) {
                failures.put(key, e);
            }
        });
        return encoded;
    }

    MemcachedServerException notStored(String key) {
        return new MemcachedServerException(
                "the server did not store the value", connection.context("set", key, Phase.REPLIED), null);
    }

    @Override
    public MultiDeleteResult multiDelete(Collection<String> keys) {
        MultiKeys distinct = new MultiKeys(KeyRule.NONE, keys);
        ManyKeys deletes =
                new ManyKeys(connection, "delete", timeout, (spy, key) -> spy.delete(key)).run(distinct.stored());
        Map<String, MemcachedException> failures = new LinkedHashMap<>(distinct.illegal());
        failures.putAll(deletes.failures);
        return new MultiDeleteResult(
                Collections.unmodifiableSet(deletes.done),
                Collections.unmodifiableSet(deletes.notDone),
                Collections.unmodifiableMap(failures));
    }

    @Override
    public boolean add(String key, V value, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        return addEncoded(key, encode(value), exptime);
    }

    private boolean addEncoded(String key, EncodedValue encoded, int exptime) {
        return run("add", key, spy -> spy.add(key, exptime, encoded, AS_STORED));
    }

    @Override
    public boolean replace(String key, V value, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        EncodedValue encoded = encode(value);
        return run("replace", key, spy -> spy.replace(key, exptime, encoded, AS_STORED));
    }

    @Override
    public boolean append(String key, V value) {
        EncodedValue encoded = encodePart("append", value);
        return run("append", key, spy -> spy.append(key, encoded, AS_STORED));
    }

    @Override
    public boolean prepend(String key, V value) {
        EncodedValue encoded = encodePart("prepend", value);
        return run("prepend", key, spy -> spy.prepend(key, encoded, AS_STORED));
    }

    @Override
    public CasResult cas(String key, V value, long casUnique, Duration ttl) {
        checkCasUnique(casUnique);
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        EncodedValue encoded = encode(value);
        Call call = call("cas", key);
        OperationFuture<CASResponse> future =
                call.submit(spy -> spy.asyncCAS(key, casUnique, exptime, encoded, AS_STORED));
        CASResponse response = call.await(future);
        call.throwIfError(future.getStatus());
        return result(response);
    }

    static CasResult result(@Nullable CASResponse response) {
        if (response == CASResponse.OK) {
            return CasResult.STORED;
        }
        return response == CASResponse.EXISTS ? CasResult.EXISTS : CasResult.NOT_FOUND;
    }

    void checkCasUnique(long casUnique) {
        CasValue.checkCasUnique(casUnique);
        checkHasNoSign(casUnique, "casUnique is " + Long.toUnsignedString(casUnique));
    }

    @Override
    public boolean delete(String key) {
        return run("delete", key, spy -> spy.delete(key));
    }

    @Override
    public OptionalLong incr(String key, long delta) {
        return mutate("incr", Mutator.incr, key, Deltas.checkIncr(delta));
    }

    @Override
    public long incr(String key, long delta, long initial, Duration ttl) {
        return mutateOrCreate("incr", Mutator.incr, key, Deltas.checkIncr(delta), initial, ttl);
    }

    @Override
    public OptionalLong decr(String key, long delta) {
        return mutate("decr", Mutator.decr, key, Deltas.checkDecr(delta));
    }

    @Override
    public long decr(String key, long delta, long initial, Duration ttl) {
        return mutateOrCreate("decr", Mutator.decr, key, Deltas.checkDecr(delta), initial, ttl);
    }

    private OptionalLong mutate(String verb, Mutator mutator, String key, long delta) {
        Call call = call(verb, key);
        OperationFuture<String> future = call.submit(spy -> mutation(mutator, key, delta));
        String number = call.await(future);
        call.throwIfError(future.getStatus());
        return number(number, future.getStatus());
    }

    OperationFuture<String> mutation(Mutator mutator, String key, long delta) {
        return connection.send(
                key, callback -> connection.operations().mutate(mutator, key, delta, 0, NEVER_CREATE, callback));
    }

    static OptionalLong number(@Nullable String number, OperationStatus status) {
        if (number == null || status.getStatusCode() == StatusCode.ERR_NOT_FOUND) {
            return OptionalLong.empty();
        }
        // Text has an unsigned number. Over binary, spymemcached formats a signed one.
        return OptionalLong.of(number.startsWith("-") ? Long.parseLong(number) : Long.parseUnsignedLong(number));
    }

    private long mutateOrCreate(String verb, Mutator mutator, String key, long delta, long initial, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        EncodedValue decimal = decimal(initial);
        for (int attempt = 0; attempt < CREATE_ATTEMPTS; attempt++) {
            OptionalLong number = mutate(verb, mutator, key, delta);
            if (number.isPresent()) {
                return number.getAsLong();
            }
            if (addEncoded(key, decimal, exptime)) {
                return initial;
            }
        }
        throw unstableItem(verb, key);
    }

    static EncodedValue decimal(long number) {
        return new EncodedValue(Long.toUnsignedString(number).getBytes(StandardCharsets.US_ASCII), 0);
    }

    MemcachedServerException unstableItem(String verb, String key) {
        return new MemcachedServerException(
                "the item was deleted and created " + CREATE_ATTEMPTS + " times between " + verb + " and add",
                connection.context(verb, key, Phase.REPLIED),
                null);
    }

    @Override
    public boolean touch(String key, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        return run("touch", key, spy -> spy.touch(key, exptime));
    }

    @Override
    public String version() {
        Call call = new Call(connection, "version", null, timeout);
        OperationFuture<String> future = call.submit(spy ->
                connection.send("version", callback -> connection.operations().version(callback)));
        String version = call.await(future);
        call.throwIfError(future.getStatus());
        return version == null ? "" : version;
    }

    private boolean run(
            String verb, String key, Function<net.spy.memcached.MemcachedClient, OperationFuture<Boolean>> command) {
        Call call = call(verb, key);
        return done(call, call.submit(command));
    }

    private static boolean done(Call call, OperationFuture<Boolean> future) {
        boolean done = Boolean.TRUE.equals(call.await(future));
        if (!done) {
            call.throwIfError(future.getStatus());
        }
        return done;
    }

    /** Rejects a sign over text: the server would reject the command line and execute the value as commands. */
    private void checkHasNoSign(long number, String what) {
        if (number < 0 && !connection.speaksBinary()) {
            throw new IllegalArgumentException(what
                    + " with the highest bit set, which spymemcached writes as a sign over text: use binaryProtocol or"
                    + " engine MEMSHARD");
        }
    }

    /** Returns an encoded copy: later parts of a multi-set are sent after their call may have ended. */
    EncodedValue encode(V value) {
        return checked(coder.encode(value));
    }

    EncodedValue encodePart(String operation, V part) {
        return checked(coder.encodePart(operation, part));
    }

    private EncodedValue checked(EncodedValue encoded) {
        checkHasNoSign(encoded.flags(), "the transcoder wrote flags " + Integer.toUnsignedString(encoded.flags()));
        return encoded;
    }
}
