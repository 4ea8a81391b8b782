// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.argument.Deltas;
import io.memshard.client.argument.Exptime;
import io.memshard.client.argument.ValueCoder;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.Phase;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.operation.MultiKeys;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import net.spy.memcached.CASResponse;
import net.spy.memcached.CASValue;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.internal.BulkFuture;
import net.spy.memcached.internal.BulkGetCompletionListener;
import net.spy.memcached.internal.GetCompletionListener;
import net.spy.memcached.internal.GetFuture;
import net.spy.memcached.internal.OperationCompletionListener;
import net.spy.memcached.internal.OperationFuture;
import net.spy.memcached.ops.Mutator;
import net.spy.memcached.ops.OperationStatus;
import net.spy.memcached.ops.StatusCode;
import org.jspecify.annotations.Nullable;

/**
 * Single commands of one spymemcached client. Each method checks its arguments, sends the command, and returns how to
 * read the reply.
 *
 * <p>Threading: thread-safe.
 *
 * @param timeout maximum wait for the reply of one command
 */
@SuppressWarnings("FutureReturnValueIgnored") // addListener returns the same future.
record Commands<V>(SpymemcachedConnection connection, ValueCoder<V> coder, Duration timeout) {

    private static final AsStoredBytes AS_STORED = AsStoredBytes.INSTANCE;

    /** Exptime that means "do not create" in spymemcached's binary protocol. */
    private static final int NEVER_CREATE = -1;

    static <V> Commands<V> of(SpymemcachedConnection connection, Transcoder<V> transcoder, Duration timeout) {
        return new Commands<>(
                connection,
                new ValueCoder<>(
                        transcoder, connection.maxValueBytes(), Clock.systemUTC(), connection.hidesKeys(), true),
                timeout);
    }

    <W> Commands<W> withTranscoder(Transcoder<W> other) {
        return of(connection, other, timeout);
    }

    Commands<V> withTimeout(Duration newTimeout) {
        return new Commands<>(connection, coder, newTimeout);
    }

    private <R, T extends @Nullable Object> Sent<R, T> send(
            String verb,
            @Nullable String key,
            Function<MemcachedClient, OperationFuture<R>> command,
            BiFunction<@Nullable R, OperationStatus, T> read) {
        Call call = new Call(connection, verb, key, timeout);
        OperationFuture<R> future = call.submit(command);
        return new Sent<>(
                call,
                future,
                done -> future.addListener((OperationCompletionListener) completed -> done.run()),
                value -> {
                    call.throwIfError(future.getStatus());
                    return read.apply(value, future.getStatus());
                });
    }

    private Sent<?, Boolean> sendBoolean(
            String verb, String key, Function<MemcachedClient, OperationFuture<Boolean>> command) {
        return send(verb, key, command, (done, status) -> Boolean.TRUE.equals(done));
    }

    Sent<?, @Nullable V> get(String key) {
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

    Sent<?, @Nullable CasValue<V>> gets(String key) {
        return this.<CASValue<EncodedValue>, @Nullable CasValue<V>>send(
                "gets",
                key,
                spy -> spy.asyncGets(key, AS_STORED),
                (stored, status) ->
                        stored == null ? null : new CasValue<>(coder.decode(key, stored.getValue()), stored.getCas()));
    }

    /** Sends the binary command, which the text protocol lacks. */
    Sent<?, @Nullable V> getAndTouch(String key, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        return this.<CASValue<EncodedValue>, @Nullable V>send(
                "gat",
                key,
                spy -> spy.asyncGetAndTouch(key, exptime, AS_STORED),
                (stored, status) -> stored == null ? null : coder.decode(key, stored.getValue()));
    }

    Sent<?, Map<String, EncodedValue>> found(Collection<String> keys) {
        Call call = new Call(connection, "get", null, timeout);
        BulkFuture<Map<String, EncodedValue>> future = call.submit(spy -> spy.asyncGetBulk(keys, AS_STORED));
        return new Sent<Map<String, EncodedValue>, Map<String, EncodedValue>>(
                call,
                future,
                done -> future.addListener((BulkGetCompletionListener) completed -> done.run()),
                found -> found == null ? Map.of() : found);
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
        return new MultiGetResult<>(hits, misses, failures).map((key, stored) -> coder.decode(key, stored));
    }

    Sent<?, Boolean> set(String key, EncodedValue encoded, int exptime) {
        return sendBoolean("set", key, spy -> spy.set(key, exptime, encoded, AS_STORED));
    }

    MemcachedServerException notStored(String key) {
        return new MemcachedServerException(
                "the server did not store the value", connection.context("set", key, Phase.REPLIED), null);
    }

    Sent<?, Boolean> add(String key, V value, Duration ttl) {
        return add(key, encode(value), Exptime.of(ttl, Clock.systemUTC()));
    }

    Sent<?, Boolean> add(String key, EncodedValue encoded, int exptime) {
        return sendBoolean("add", key, spy -> spy.add(key, exptime, encoded, AS_STORED));
    }

    Sent<?, Boolean> replace(String key, V value, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        EncodedValue encoded = encode(value);
        return sendBoolean("replace", key, spy -> spy.replace(key, exptime, encoded, AS_STORED));
    }

    Sent<?, Boolean> append(String key, V value) {
        EncodedValue part = checked(coder.encodePart("append", value));
        return sendBoolean("append", key, spy -> spy.append(key, part, AS_STORED));
    }

    Sent<?, Boolean> prepend(String key, V value) {
        EncodedValue part = checked(coder.encodePart("prepend", value));
        return sendBoolean("prepend", key, spy -> spy.prepend(key, part, AS_STORED));
    }

    Sent<?, CasResult> cas(String key, V value, long casUnique, Duration ttl) {
        CasValue.checkCasUnique(casUnique);
        checkHasNoSign(casUnique, "casUnique is " + Long.toUnsignedString(casUnique));
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        EncodedValue encoded = encode(value);
        return send(
                "cas",
                key,
                spy -> spy.asyncCAS(key, casUnique, exptime, encoded, AS_STORED),
                (response, status) -> response == CASResponse.OK
                        ? CasResult.STORED
                        : response == CASResponse.EXISTS ? CasResult.EXISTS : CasResult.NOT_FOUND);
    }

    Sent<?, Boolean> delete(String key) {
        return sendBoolean("delete", key, spy -> spy.delete(key));
    }

    Sent<?, Boolean> touch(String key, Duration ttl) {
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        return sendBoolean("touch", key, spy -> spy.touch(key, exptime));
    }

    Sent<?, OptionalLong> mutate(Mutator mutator, String key, long delta) {
        long checked = mutator == Mutator.incr ? Deltas.checkIncr(delta) : Deltas.checkDecr(delta);
        return send(
                mutator.name(),
                key,
                spy -> connection.send(
                        key,
                        callback -> connection.operations().mutate(mutator, key, checked, 0, NEVER_CREATE, callback)),
                Commands::number);
    }

    private static OptionalLong number(@Nullable String number, OperationStatus status) {
        if (number == null || status.getStatusCode() == StatusCode.ERR_NOT_FOUND) {
            return OptionalLong.empty();
        }
        // Text has an unsigned number. Over binary, spymemcached formats a signed one.
        return OptionalLong.of(number.startsWith("-") ? Long.parseLong(number) : Long.parseUnsignedLong(number));
    }

    Sent<?, String> version() {
        return send(
                "version",
                null,
                spy -> connection.send(
                        "version", callback -> connection.operations().version(callback)),
                (version, status) -> version == null ? "" : version);
    }

    /** Returns an encoded copy: later parts of a multi-set are sent after their call may have ended. */
    EncodedValue encode(V value) {
        return checked(coder.encode(value));
    }

    private EncodedValue checked(EncodedValue encoded) {
        checkHasNoSign(encoded.flags(), "the transcoder wrote flags " + Integer.toUnsignedString(encoded.flags()));
        return encoded;
    }

    /** Rejects a sign over text: the server would reject the command line and execute the value as commands. */
    private void checkHasNoSign(long number, String what) {
        if (number < 0 && !connection.speaksBinary()) {
            throw new IllegalArgumentException(what
                    + " with the highest bit set, which spymemcached sends as a minus sign: use binaryProtocol or"
                    + " engine MEMSHARD");
        }
    }

    MultiKeys distinct(Collection<String> keys) {
        return new MultiKeys(KeyRule.NONE, keys);
    }
}
