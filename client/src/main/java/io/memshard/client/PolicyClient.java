package io.memshard.client;

import io.memshard.client.exception.MemcachedException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A blocking client under a failure policy other than to fail fast.
 *
 * @param client sends the first attempts
 * @param again sends the second ones
 * @param policy what is done about failures
 */
record PolicyClient<V>(MemcachedClient<V> client, MemcachedClient<V> again, FailurePolicy policy)
        implements MemcachedClient<V> {

    private <T> @Nullable T read(Function<MemcachedClient<V>, @Nullable T> call) {
        try {
            return call.apply(client);
        } catch (MemcachedException e) {
            if (policy.isMiss(e)) {
                return null;
            }
            return secondAttempt(e, true, call);
        }
    }

    private <T> T write(Function<MemcachedClient<V>, T> call) {
        try {
            return call.apply(client);
        } catch (MemcachedException e) {
            return secondAttempt(e, false, call);
        }
    }

    private <T> T secondAttempt(MemcachedException failure, boolean isRead, Function<MemcachedClient<V>, T> call) {
        if (!policy.isRetried(failure, isRead)) {
            throw failure;
        }
        try {
            return call.apply(again);
        } catch (MemcachedException e) {
            e.addSuppressed(failure);
            throw e;
        }
    }

    @Override
    public @Nullable V get(String key) {
        return read(c -> c.get(key));
    }

    @Override
    public @Nullable CasValue<V> gets(String key) {
        return read(c -> c.gets(key));
    }

    @Override
    public @Nullable V getAndTouch(String key, Duration ttl) {
        return read(c -> c.getAndTouch(key, ttl));
    }

    @Override
    public MultiGetResult<V> getAll(Collection<String> keys) {
        MultiGetResult<V> result = client.getAll(keys);
        List<String> retried = MultiResults.failedKeys(result.failures(), failure -> policy.isRetried(failure, true));
        return retried.isEmpty()
                ? MultiResults.withMisses(result, MultiResults.failedKeys(result.failures(), policy::isMiss))
                : MultiResults.joined(result, again.getAll(retried));
    }

    @Override
    public MultiSetResult setAll(Map<String, ? extends V> values, Duration ttl) {
        MultiSetResult result = client.setAll(values, ttl);
        List<String> retried = retriedWrites(result.failures());
        return retried.isEmpty()
                ? result
                : MultiResults.joined(result, again.setAll(MultiResults.valuesOf(values, retried), ttl));
    }

    @Override
    public MultiDeleteResult deleteAll(Collection<String> keys) {
        MultiDeleteResult result = client.deleteAll(keys);
        List<String> retried = retriedWrites(result.failures());
        return retried.isEmpty() ? result : MultiResults.joined(result, again.deleteAll(retried));
    }

    private List<String> retriedWrites(Map<String, MemcachedException> failures) {
        return MultiResults.failedKeys(failures, failure -> policy.isRetried(failure, false));
    }

    @Override
    public void set(String key, V value, Duration ttl) {
        write(c -> {
            c.set(key, value, ttl);
            return true;
        });
    }

    @Override
    public boolean add(String key, V value, Duration ttl) {
        return write(c -> c.add(key, value, ttl));
    }

    @Override
    public boolean replace(String key, V value, Duration ttl) {
        return write(c -> c.replace(key, value, ttl));
    }

    @Override
    public boolean append(String key, V value) {
        return write(c -> c.append(key, value));
    }

    @Override
    public boolean prepend(String key, V value) {
        return write(c -> c.prepend(key, value));
    }

    @Override
    public CasResult cas(String key, V value, long casUnique, Duration ttl) {
        return write(c -> c.cas(key, value, casUnique, ttl));
    }

    @Override
    public boolean delete(String key) {
        return write(c -> c.delete(key));
    }

    @Override
    public OptionalLong incr(String key, long delta) {
        return write(c -> c.incr(key, delta));
    }

    @Override
    public long incr(String key, long delta, long initial, Duration ttl) {
        return write(c -> c.incr(key, delta, initial, ttl));
    }

    @Override
    public OptionalLong decr(String key, long delta) {
        return write(c -> c.decr(key, delta));
    }

    @Override
    public long decr(String key, long delta, long initial, Duration ttl) {
        return write(c -> c.decr(key, delta, initial, ttl));
    }

    @Override
    public boolean touch(String key, Duration ttl) {
        return write(c -> c.touch(key, ttl));
    }

    @Override
    public String version() {
        return write(MemcachedClient::version);
    }

    /** Fails fast: of a request with any flags it cannot be told whether it is safe to repeat. */
    @Override
    public MetaClient<V> meta() {
        return client.meta();
    }

    @Override
    public <W> MemcachedClient<W> withTranscoder(Transcoder<W> transcoder) {
        return new PolicyClient<>(client.withTranscoder(transcoder), again.withTranscoder(transcoder), policy);
    }

    @Override
    public MemcachedClient<V> withTimeout(Duration timeout) {
        return new PolicyClient<>(client.withTimeout(timeout), again.withTimeout(timeout), policy);
    }

    @Override
    public MemcachedClient<V> withFailurePolicy(FailurePolicy other) {
        return client.withFailurePolicy(other);
    }
}
