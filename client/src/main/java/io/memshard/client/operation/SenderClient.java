// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.protocol.Version;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

final class SenderClient<V> extends SenderViews<V, MemcachedClient<V>> implements MemcachedClient<V> {

    SenderClient(Calls calls, ClientCommands<V> commands) {
        super(MemcachedClient.class, calls, commands);
    }

    @Override
    MemcachedClient<V> view(Calls otherCalls, ClientCommands<V> otherCommands) {
        return new SenderClient<>(otherCalls, otherCommands);
    }

    @Override
    public @Nullable V get(String key) {
        return calls.call(commands.get(key));
    }

    @Override
    public @Nullable CasValue<V> gets(String key) {
        return calls.call(commands.gets(key));
    }

    @Override
    public @Nullable V getAndTouch(String key, Duration ttl) {
        return calls.call(commands.getAndTouch(key, ttl));
    }

    @Override
    public MultiGetResult<V> multiGet(Collection<String> keys) {
        return commands.multiGet(calls, keys).run();
    }

    @Override
    public MultiGetResult<CasValue<V>> multiGets(Collection<String> keys) {
        return commands.multiGets(calls, keys).run();
    }

    @Override
    public MultiGetResult<V> multiGetAndTouch(Collection<String> keys, Duration ttl) {
        return commands.multiGetAndTouch(calls, keys, ttl).run();
    }

    @Override
    public MultiWriteResult multiSet(Map<String, ? extends V> values, Duration ttl) {
        return commands.multiSet(calls, values, ttl).run();
    }

    @Override
    public MultiWriteResult multiDelete(Collection<String> keys) {
        return commands.multiDelete(calls, keys).run();
    }

    @Override
    public void set(String key, V value, Duration ttl) {
        long deadlineNanos = System.nanoTime() + calls.nanos();
        try {
            calls.call(commands.set(key, value, ttl));
        } catch (MemcachedValueTooLargeException e) {
            Futures.result(deleteAfter(e, key, deadlineNanos, true));
        }
    }

    @Override
    public boolean add(String key, V value, Duration ttl) {
        return calls.call(commands.add(key, value, ttl));
    }

    @Override
    public boolean replace(String key, V value, Duration ttl) {
        return calls.call(commands.replace(key, value, ttl));
    }

    @Override
    public boolean append(String key, V value) {
        return Futures.result(join(key, commands.append(key, value), true));
    }

    @Override
    public boolean prepend(String key, V value) {
        return Futures.result(join(key, commands.prepend(key, value), true));
    }

    @Override
    public WriteStatus cas(String key, V value, long casUnique, Duration ttl) {
        return calls.call(commands.cas(key, value, casUnique, ttl));
    }

    @Override
    public @Nullable V update(String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change) {
        return Futures.result(update(key, ttl, change, true).start());
    }

    @Override
    public boolean delete(String key) {
        return calls.call(commands.delete(key));
    }

    @Override
    public boolean invalidate(String key, Duration staleFor) {
        return calls.call(commands.invalidate(key, staleFor)) == WriteStatus.DONE;
    }

    @Override
    public OptionalLong incr(String key, long delta) {
        return calls.call(commands.incr(key, delta));
    }

    @Override
    public long incr(String key, long delta, long initial, Duration ttl) {
        return calls.call(commands.incr(key, delta, initial, ttl));
    }

    @Override
    public OptionalLong decr(String key, long delta) {
        return calls.call(commands.decr(key, delta));
    }

    @Override
    public long decr(String key, long delta, long initial, Duration ttl) {
        return calls.call(commands.decr(key, delta, initial, ttl));
    }

    @Override
    public boolean touch(String key, Duration ttl) {
        return calls.call(commands.touch(key, ttl)) != null;
    }

    @Override
    public String version() {
        return calls.call(new Version());
    }

    @Override
    public @Nullable V getOrLoad(
            String key, Duration ttl, ValueLoader<? super String, ? extends V> loader, LoadOptions options) {
        return getOrLoad(key, value -> ttl, loader, Load.Plan.recachingEarly(ttl, options));
    }

    @Override
    public @Nullable V getOrLoad(
            String key,
            Function<? super V, Duration> ttl,
            ValueLoader<? super String, ? extends V> loader,
            LoadOptions options) {
        Load.Plan<V> plan = new Load.Plan<>(calls, commands.partsOf(Load.OPERATION), ttl, options);
        Load<V> load = new Load<>(plan, key, commands.keys.stored(key), true);
        Objects.requireNonNull(loader, "loader is null");
        return calls.<@Nullable V>call(Load.OPERATION, load.stored, 1, () -> load.run(loader));
    }

    @Override
    public MultiGetResult<V> multiGetOrLoad(
            Collection<String> keys,
            Duration ttl,
            ValueLoader<? super Set<String>, ? extends Map<String, V>> loader,
            LoadOptions options) {
        MultiLoad<V> load = commands.multiLoad(calls, keys, ttl, options);
        Objects.requireNonNull(loader, "loader is null");
        return calls.call(MultiLoad.OPERATION, null, load.keys.outcomes.size(), () -> load.run(loader));
    }

    @Override
    public SenderMetaClient<V> meta() {
        return new SenderMetaClient<>(calls, commands.meta());
    }

    @Override
    public AsyncSenderClient<V> async() {
        return new AsyncSenderClient<>(calls, new ClientCommands<>(commands.coder.copying(), commands.keys));
    }

    @Override
    public <W> MemcachedClient<W> withTranscoder(Transcoder<W> transcoder) {
        ClientCommands<W> others = new ClientCommands<>(commands.coder.withTranscoder(transcoder), commands.keys);
        return new SenderClient<>(calls, others);
    }
}
