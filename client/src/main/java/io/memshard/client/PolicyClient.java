package io.memshard.client;

import io.memshard.client.options.FailurePolicy;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A blocking client under a failure policy other than to fail fast. */
record PolicyClient<V>(Attempts<MemcachedClient<V>> attempts) implements MemcachedClient<V> {

    @Override
    public @Nullable V get(String key) {
        return attempts.read(c -> c.get(key));
    }

    @Override
    public @Nullable CasValue<V> gets(String key) {
        return attempts.read(c -> c.gets(key));
    }

    @Override
    public @Nullable V getAndTouch(String key, Duration ttl) {
        return attempts.read(c -> c.getAndTouch(key, ttl));
    }

    @Override
    public MultiGetResult<V> getAll(Collection<String> keys) {
        return MultiResults.withMisses(
                attempts.many(MultiResults.ofGets(), keys, MemcachedClient::getAll), attempts.policy());
    }

    @Override
    public MultiSetResult setAll(Map<String, ? extends V> values, Duration ttl) {
        return attempts.many(
                MultiResults.OF_SETS, values.keySet(), (c, keys) -> c.setAll(MultiResults.valuesOf(values, keys), ttl));
    }

    @Override
    public MultiDeleteResult deleteAll(Collection<String> keys) {
        return attempts.many(MultiResults.OF_DELETES, keys, MemcachedClient::deleteAll);
    }

    @Override
    public void set(String key, V value, Duration ttl) {
        attempts.write(c -> {
            c.set(key, value, ttl);
            return true;
        });
    }

    @Override
    public boolean add(String key, V value, Duration ttl) {
        return attempts.write(c -> c.add(key, value, ttl));
    }

    @Override
    public boolean replace(String key, V value, Duration ttl) {
        return attempts.write(c -> c.replace(key, value, ttl));
    }

    @Override
    public boolean append(String key, V value) {
        return attempts.write(c -> c.append(key, value));
    }

    @Override
    public boolean prepend(String key, V value) {
        return attempts.write(c -> c.prepend(key, value));
    }

    @Override
    public CasResult cas(String key, V value, long casUnique, Duration ttl) {
        return attempts.write(c -> c.cas(key, value, casUnique, ttl));
    }

    @Override
    public boolean delete(String key) {
        return attempts.write(c -> c.delete(key));
    }

    @Override
    public OptionalLong incr(String key, long delta) {
        return attempts.write(c -> c.incr(key, delta));
    }

    @Override
    public long incr(String key, long delta, long initial, Duration ttl) {
        return attempts.write(c -> c.incr(key, delta, initial, ttl));
    }

    @Override
    public OptionalLong decr(String key, long delta) {
        return attempts.write(c -> c.decr(key, delta));
    }

    @Override
    public long decr(String key, long delta, long initial, Duration ttl) {
        return attempts.write(c -> c.decr(key, delta, initial, ttl));
    }

    @Override
    public boolean touch(String key, Duration ttl) {
        return attempts.write(c -> c.touch(key, ttl));
    }

    @Override
    public String version() {
        return attempts.write(MemcachedClient::version);
    }

    @Override
    public @Nullable V getOrLoad(
            String key, Duration ttl, Function<? super String, ? extends @Nullable V> loader, LoadOptions options) {
        return new BlockingLoad<>(attempts.map(MemcachedClient::meta), key, new LoadPlan<V>(key, ttl, options), loader)
                .run();
    }

    @Override
    public MetaClient<V> meta() {
        return new PolicyMetaClient<>(attempts.map(MemcachedClient::meta));
    }

    @Override
    public <W> MemcachedClient<W> withTranscoder(Transcoder<W> transcoder) {
        return new PolicyClient<>(attempts.map(c -> c.withTranscoder(transcoder)));
    }

    @Override
    public MemcachedClient<V> withTimeout(Duration timeout) {
        return new PolicyClient<>(attempts.map(c -> c.withTimeout(timeout)));
    }

    @Override
    public MemcachedClient<V> withFailurePolicy(FailurePolicy other) {
        return attempts.first().withFailurePolicy(other);
    }
}
