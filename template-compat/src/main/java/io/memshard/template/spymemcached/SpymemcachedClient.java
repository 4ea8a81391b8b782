// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.ItemOperations;
import io.memshard.client.argument.Exptime;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.exception.Phase;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.operation.MultiKeys;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.transcoder.Transcoder;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import net.spy.memcached.ops.Mutator;
import org.jspecify.annotations.Nullable;

/**
 * Blocking client over one spymemcached client.
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
 * <p>Threading: thread-safe.
 */
record SpymemcachedClient<V>(Commands<V> commands) implements ItemOperations<V> {

    AsyncSpymemcachedClient<V> async() {
        return new AsyncSpymemcachedClient<>(commands);
    }

    @Override
    public <W> SpymemcachedClient<W> withTranscoder(Transcoder<W> transcoder) {
        return new SpymemcachedClient<>(commands.withTranscoder(transcoder));
    }

    @Override
    public SpymemcachedClient<V> withTimeout(Duration timeout) {
        return new SpymemcachedClient<>(commands.withTimeout(timeout));
    }

    private static <T extends @Nullable Object> T reply(String key, Supplier<Sent<?, T>> command) {
        KeyRule.checkLength(key);
        return command.get().await();
    }

    /** Waits for a call of several commands. */
    private <T> T awaited(CompletableFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MemcachedInterruptedException(
                    "interrupted while waiting", commands.connection().context(null, null, Phase.AWAITING_REPLY), e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : Futures.cause(e.getCause());
            throw cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
        }
    }

    @Override
    public @Nullable V get(String key) {
        return SpymemcachedClient.<@Nullable V>reply(key, () -> commands.get(key));
    }

    @Override
    public @Nullable CasValue<V> gets(String key) {
        return SpymemcachedClient.<@Nullable CasValue<V>>reply(key, () -> commands.gets(key));
    }

    @Override
    public @Nullable V getAndTouch(String key, Duration ttl) {
        if (commands.connection().speaksBinary()) {
            return SpymemcachedClient.<@Nullable V>reply(key, () -> commands.getAndTouch(key, ttl));
        }
        KeyRule.checkLength(key);
        Sent<?, Boolean> touch = commands.touch(key, ttl);
        Sent<?, @Nullable V> get = commands.get(key);
        return touch.await() ? get.await() : null;
    }

    @Override
    public MultiGetResult<V> multiGet(Collection<String> keys) {
        MultiKeys distinct = commands.distinct(keys);
        try {
            return commands.result(
                    distinct,
                    distinct.stored().isEmpty()
                            ? Map.of()
                            : commands.found(distinct.stored()).await(),
                    null);
        } catch (MemcachedException e) {
            return commands.result(distinct, Map.of(), e);
        }
    }

    @Override
    public void set(String key, V value, Duration ttl) {
        KeyRule.checkLength(key);
        int exptime = Exptime.of(ttl, Clock.systemUTC());
        try {
            if (!commands.set(key, commands.encode(value), exptime).await()) {
                throw commands.notStored(key);
            }
        } catch (MemcachedValueTooLargeException e) {
            awaited(async().deletedAfter(Map.of(key, e)));
            throw e;
        }
    }

    @Override
    public MultiSetResult multiSet(Map<String, ? extends V> values, Duration ttl) {
        return awaited(async().multiSet(values, ttl));
    }

    @Override
    public MultiDeleteResult multiDelete(Collection<String> keys) {
        return awaited(async().multiDelete(keys));
    }

    @Override
    public boolean add(String key, V value, Duration ttl) {
        return reply(key, () -> commands.add(key, value, ttl));
    }

    @Override
    public boolean replace(String key, V value, Duration ttl) {
        return reply(key, () -> commands.replace(key, value, ttl));
    }

    @Override
    public boolean append(String key, V value) {
        return reply(key, () -> commands.append(key, value));
    }

    @Override
    public boolean prepend(String key, V value) {
        return reply(key, () -> commands.prepend(key, value));
    }

    @Override
    public CasResult cas(String key, V value, long casUnique, Duration ttl) {
        return reply(key, () -> commands.cas(key, value, casUnique, ttl));
    }

    @Override
    public boolean delete(String key) {
        return reply(key, () -> commands.delete(key));
    }

    @Override
    public OptionalLong incr(String key, long delta) {
        return reply(key, () -> commands.mutate(Mutator.incr, key, delta));
    }

    @Override
    public long incr(String key, long delta, long initial, Duration ttl) {
        return awaited(async().incr(key, delta, initial, ttl));
    }

    @Override
    public OptionalLong decr(String key, long delta) {
        return reply(key, () -> commands.mutate(Mutator.decr, key, delta));
    }

    @Override
    public long decr(String key, long delta, long initial, Duration ttl) {
        return awaited(async().decr(key, delta, initial, ttl));
    }

    @Override
    public boolean touch(String key, Duration ttl) {
        return reply(key, () -> commands.touch(key, ttl));
    }

    @Override
    public String version() {
        return commands.version().await();
    }
}
