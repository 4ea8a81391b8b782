package io.memshard.client;

import io.memshard.client.options.FailurePolicy;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An asynchronous client under a failure policy other than to fail fast. */
record AsyncPolicyClient<V>(AsyncAttempts<AsyncMemcachedClient<V>> attempts) implements AsyncMemcachedClient<V> {

    @Override
    public CompletableFuture<@Nullable V> get(String key) {
        return attempts.read(c -> c.get(key));
    }

    @Override
    public CompletableFuture<@Nullable CasValue<V>> gets(String key) {
        return attempts.read(c -> c.gets(key));
    }

    @Override
    public CompletableFuture<@Nullable V> getAndTouch(String key, Duration ttl) {
        return attempts.read(c -> c.getAndTouch(key, ttl));
    }

    @Override
    public CompletableFuture<MultiGetResult<V>> getAll(Collection<String> keys) {
        return attempts.many(MultiResults.<V>ofGets(), keys, AsyncMemcachedClient::getAll)
                .thenApply(result -> MultiResults.withMisses(result, attempts.policy()));
    }

    @Override
    public CompletableFuture<MultiSetResult> setAll(Map<String, ? extends V> values, Duration ttl) {
        return attempts.many(
                MultiResults.OF_SETS, values.keySet(), (c, keys) -> c.setAll(MultiResults.valuesOf(values, keys), ttl));
    }

    @Override
    public CompletableFuture<MultiDeleteResult> deleteAll(Collection<String> keys) {
        return attempts.many(MultiResults.OF_DELETES, keys, AsyncMemcachedClient::deleteAll);
    }

    @Override
    public CompletableFuture<@Nullable Void> set(String key, V value, Duration ttl) {
        return attempts.write(c -> c.set(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> add(String key, V value, Duration ttl) {
        return attempts.write(c -> c.add(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> replace(String key, V value, Duration ttl) {
        return attempts.write(c -> c.replace(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> append(String key, V value) {
        return attempts.write(c -> c.append(key, value));
    }

    @Override
    public CompletableFuture<Boolean> prepend(String key, V value) {
        return attempts.write(c -> c.prepend(key, value));
    }

    @Override
    public CompletableFuture<CasResult> cas(String key, V value, long casUnique, Duration ttl) {
        return attempts.write(c -> c.cas(key, value, casUnique, ttl));
    }

    @Override
    public CompletableFuture<Boolean> delete(String key) {
        return attempts.write(c -> c.delete(key));
    }

    @Override
    public CompletableFuture<OptionalLong> incr(String key, long delta) {
        return attempts.write(c -> c.incr(key, delta));
    }

    @Override
    public CompletableFuture<Long> incr(String key, long delta, long initial, Duration ttl) {
        return attempts.write(c -> c.incr(key, delta, initial, ttl));
    }

    @Override
    public CompletableFuture<OptionalLong> decr(String key, long delta) {
        return attempts.write(c -> c.decr(key, delta));
    }

    @Override
    public CompletableFuture<Long> decr(String key, long delta, long initial, Duration ttl) {
        return attempts.write(c -> c.decr(key, delta, initial, ttl));
    }

    @Override
    public CompletableFuture<Boolean> touch(String key, Duration ttl) {
        return attempts.write(c -> c.touch(key, ttl));
    }

    @Override
    public CompletableFuture<String> version() {
        return attempts.write(AsyncMemcachedClient::version);
    }

    @Override
    public CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Duration ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
            LoadOptions options) {
        return new AsyncLoad<>(
                        attempts.map(AsyncMemcachedClient::meta), key, new LoadPlan<V>(key, ttl, options), loader)
                .run();
    }

    @Override
    public AsyncMetaClient<V> meta() {
        return new AsyncPolicyMetaClient<>(attempts.map(AsyncMemcachedClient::meta));
    }

    @Override
    public <W> AsyncMemcachedClient<W> withTranscoder(Transcoder<W> transcoder) {
        return new AsyncPolicyClient<>(attempts.map(c -> c.withTranscoder(transcoder)));
    }

    @Override
    public AsyncMemcachedClient<V> withTimeout(Duration timeout) {
        return new AsyncPolicyClient<>(attempts.map(c -> c.withTimeout(timeout)));
    }

    @Override
    public AsyncMemcachedClient<V> withFailurePolicy(FailurePolicy other) {
        return attempts.first().withFailurePolicy(other);
    }
}
