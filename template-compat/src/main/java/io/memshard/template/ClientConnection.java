package io.memshard.template;

import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.MultiGetResult;
import io.memshard.client.Transcoder;
import java.time.Duration;
import java.util.Collection;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A handle that speaks through an engine's client of one connection. */
abstract class ClientConnection implements MemcachedConnection {

    /** The client of the connection, asked for at the start of each command. */
    abstract MemcachedClient<byte[]> client();

    @Override
    public <T> @Nullable T get(String key, Transcoder<T> serializer) {
        return client().withTranscoder(serializer).get(key);
    }

    @Override
    public <T> @Nullable CasValue<T> gets(String key, Transcoder<T> serializer) {
        return client().withTranscoder(serializer).gets(key);
    }

    @Override
    public <T> @Nullable T getAndTouch(String key, Duration ttl, Transcoder<T> serializer) {
        return client().withTranscoder(serializer).getAndTouch(key, ttl);
    }

    @Override
    public <T> MultiGetResult<T> getAll(Collection<String> keys, Transcoder<T> serializer) {
        return client().withTranscoder(serializer).getAll(keys);
    }

    @Override
    public <T> void set(String key, T value, Duration ttl, Transcoder<T> serializer) {
        client().withTranscoder(serializer).set(key, value, ttl);
    }

    @Override
    public <T> boolean add(String key, T value, Duration ttl, Transcoder<T> serializer) {
        return client().withTranscoder(serializer).add(key, value, ttl);
    }

    @Override
    public <T> boolean replace(String key, T value, Duration ttl, Transcoder<T> serializer) {
        return client().withTranscoder(serializer).replace(key, value, ttl);
    }

    @Override
    public <T> boolean append(String key, T value, Transcoder<T> serializer) {
        return client().withTranscoder(serializer).append(key, value);
    }

    @Override
    public <T> boolean prepend(String key, T value, Transcoder<T> serializer) {
        return client().withTranscoder(serializer).prepend(key, value);
    }

    @Override
    public <T> CasResult cas(String key, CasValue<T> update, Duration ttl, Transcoder<T> serializer) {
        return client().withTranscoder(serializer).cas(key, update.value(), update.casUnique(), ttl);
    }

    @Override
    public boolean delete(String key) {
        return client().delete(key);
    }

    @Override
    public OptionalLong incr(String key, long delta) {
        return client().incr(key, delta);
    }

    @Override
    public long incr(String key, long delta, long initial, Duration ttl) {
        return client().incr(key, delta, initial, ttl);
    }

    @Override
    public OptionalLong decr(String key, long delta) {
        return client().decr(key, delta);
    }

    @Override
    public long decr(String key, long delta, long initial, Duration ttl) {
        return client().decr(key, delta, initial, ttl);
    }

    @Override
    public boolean touch(String key, Duration ttl) {
        return client().touch(key, ttl);
    }

    @Override
    public String version() {
        return client().version();
    }
}
