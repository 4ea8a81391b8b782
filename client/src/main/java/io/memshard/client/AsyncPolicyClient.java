package io.memshard.client;

import io.memshard.client.exception.MemcachedException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous client under a failure policy other than to fail fast.
 *
 * @param client sends the first attempts
 * @param again sends the second ones
 * @param policy what is done about failures
 */
record AsyncPolicyClient<V>(AsyncMemcachedClient<V> client, AsyncMemcachedClient<V> again, FailurePolicy policy)
        implements AsyncMemcachedClient<V> {

    private <T> CompletableFuture<@Nullable T> read(
            Function<AsyncMemcachedClient<V>, CompletableFuture<@Nullable T>> call) {
        return answered(call, true);
    }

    private <T> CompletableFuture<T> write(Function<AsyncMemcachedClient<V>, CompletableFuture<T>> call) {
        return answered(call, false);
    }

    @SuppressWarnings("NullAway") // A miss is null, and only reads are misses, whose results may be null.
    private <T extends @Nullable Object> CompletableFuture<T> answered(
            Function<AsyncMemcachedClient<V>, CompletableFuture<T>> call, boolean isRead) {
        return call.apply(client).exceptionallyCompose(thrown -> {
            Throwable cause =
                    thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
            if (cause instanceof MemcachedException failure) {
                if (isRead && policy.isMiss(failure)) {
                    return CompletableFuture.completedFuture(null);
                }
                if (policy.isRetried(failure, isRead)) {
                    return call.apply(again);
                }
            }
            return CompletableFuture.failedFuture(cause);
        });
    }

    @Override
    public CompletableFuture<@Nullable V> get(String key) {
        return read(c -> c.get(key));
    }

    @Override
    public CompletableFuture<@Nullable CasValue<V>> gets(String key) {
        return read(c -> c.gets(key));
    }

    @Override
    public CompletableFuture<@Nullable V> getAndTouch(String key, Duration ttl) {
        return read(c -> c.getAndTouch(key, ttl));
    }

    @Override
    public CompletableFuture<MultiGetResult<V>> getAll(Collection<String> keys) {
        return client.getAll(keys).thenCompose(result -> {
            List<String> retried =
                    MultiResults.failedKeys(result.failures(), failure -> policy.isRetried(failure, true));
            return retried.isEmpty()
                    ? CompletableFuture.completedFuture(
                            MultiResults.withMisses(result, MultiResults.failedKeys(result.failures(), policy::isMiss)))
                    : again.getAll(retried).thenApply(second -> MultiResults.joined(result, second));
        });
    }

    @Override
    public CompletableFuture<MultiSetResult> setAll(Map<String, ? extends V> values, Duration ttl) {
        return client.setAll(values, ttl).thenCompose(result -> {
            List<String> retried = retriedWrites(result.failures());
            return retried.isEmpty()
                    ? CompletableFuture.completedFuture(result)
                    : again.setAll(MultiResults.valuesOf(values, retried), ttl)
                            .thenApply(second -> MultiResults.joined(result, second));
        });
    }

    @Override
    public CompletableFuture<MultiDeleteResult> deleteAll(Collection<String> keys) {
        return client.deleteAll(keys).thenCompose(result -> {
            List<String> retried = retriedWrites(result.failures());
            return retried.isEmpty()
                    ? CompletableFuture.completedFuture(result)
                    : again.deleteAll(retried).thenApply(second -> MultiResults.joined(result, second));
        });
    }

    private List<String> retriedWrites(Map<String, MemcachedException> failures) {
        return MultiResults.failedKeys(failures, failure -> policy.isRetried(failure, false));
    }

    @Override
    public CompletableFuture<@Nullable Void> set(String key, V value, Duration ttl) {
        return write(c -> c.set(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> add(String key, V value, Duration ttl) {
        return write(c -> c.add(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> replace(String key, V value, Duration ttl) {
        return write(c -> c.replace(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> append(String key, V value) {
        return write(c -> c.append(key, value));
    }

    @Override
    public CompletableFuture<Boolean> prepend(String key, V value) {
        return write(c -> c.prepend(key, value));
    }

    @Override
    public CompletableFuture<CasResult> cas(String key, V value, long casUnique, Duration ttl) {
        return write(c -> c.cas(key, value, casUnique, ttl));
    }

    @Override
    public CompletableFuture<Boolean> delete(String key) {
        return write(c -> c.delete(key));
    }

    @Override
    public CompletableFuture<OptionalLong> incr(String key, long delta) {
        return write(c -> c.incr(key, delta));
    }

    @Override
    public CompletableFuture<Long> incr(String key, long delta, long initial, Duration ttl) {
        return write(c -> c.incr(key, delta, initial, ttl));
    }

    @Override
    public CompletableFuture<OptionalLong> decr(String key, long delta) {
        return write(c -> c.decr(key, delta));
    }

    @Override
    public CompletableFuture<Long> decr(String key, long delta, long initial, Duration ttl) {
        return write(c -> c.decr(key, delta, initial, ttl));
    }

    @Override
    public CompletableFuture<Boolean> touch(String key, Duration ttl) {
        return write(c -> c.touch(key, ttl));
    }

    @Override
    public CompletableFuture<String> version() {
        return write(AsyncMemcachedClient::version);
    }

    /** Fails fast: of a request with any flags it cannot be told whether it is safe to repeat. */
    @Override
    public AsyncMetaClient<V> meta() {
        return client.meta();
    }

    @Override
    public <W> AsyncMemcachedClient<W> withTranscoder(Transcoder<W> transcoder) {
        return new AsyncPolicyClient<>(client.withTranscoder(transcoder), again.withTranscoder(transcoder), policy);
    }

    @Override
    public AsyncMemcachedClient<V> withTimeout(Duration timeout) {
        return new AsyncPolicyClient<>(client.withTimeout(timeout), again.withTimeout(timeout), policy);
    }

    @Override
    public AsyncMemcachedClient<V> withFailurePolicy(FailurePolicy other) {
        return client.withFailurePolicy(other);
    }
}
