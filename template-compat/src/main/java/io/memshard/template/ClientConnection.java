// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.ItemOperations;
import io.memshard.client.MemcachedClient;
import io.memshard.client.argument.ValueCoder;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Handle on one connection, which calls the engine's client of the connection.
 *
 * <p>Values reach the engine's client in encoded form, so a call needs no client of the value's type. Encoding and
 * decoding run on the calling thread, before and after the command. Only a set uses a client of the value's type: if
 * the serializer rejects the value as too large, a set also deletes the item.
 */
final class ClientConnection implements MemcachedConnection {

    private final Supplier<? extends ItemOperations<EncodedValue>> currentClient;
    private final Runnable closer;

    /**
     * Creates a handle.
     *
     * @param currentClient supplies the client of the connection, at the start of each command
     * @param closer runs at each {@link #close}
     */
    ClientConnection(Supplier<? extends ItemOperations<EncodedValue>> currentClient, Runnable closer) {
        this.currentClient = currentClient;
        this.closer = closer;
    }

    private ItemOperations<EncodedValue> client() {
        return currentClient.get();
    }

    private MemcachedClient<EncodedValue> clientOfMemshard(String refusal) {
        if (client() instanceof MemcachedClient<EncodedValue> client) {
            return client;
        }
        throw new MemcachedUnsupportedException(refusal);
    }

    @Override
    public <T> @Nullable T get(String key, Transcoder<T> serializer) {
        return decoded(client().get(key), key, serializer);
    }

    @Override
    public <T> @Nullable CasValue<T> gets(String key, Transcoder<T> serializer) {
        CasValue<EncodedValue> stored = client().gets(key);
        return stored == null ? null : new CasValue<>(stored.value().decodeWith(serializer, key), stored.casUnique());
    }

    @Override
    public <T> @Nullable T getAndTouch(String key, Duration ttl, Transcoder<T> serializer) {
        return decoded(client().getAndTouch(key, ttl), key, serializer);
    }

    @Override
    public <T> MultiGetResult<T> multiGet(Collection<String> keys, Transcoder<T> serializer) {
        return client().multiGet(keys).map((key, stored) -> stored.decodeWith(serializer, key));
    }

    @Override
    public <T> void set(String key, T value, Duration ttl, Transcoder<T> serializer) {
        client().withTranscoder(serializer).set(key, value, ttl);
    }

    @Override
    public <T> MultiSetResult multiSet(Map<String, ? extends T> values, Duration ttl, Transcoder<T> serializer) {
        return client().withTranscoder(serializer).multiSet(values, ttl);
    }

    @Override
    public <T> boolean add(String key, T value, Duration ttl, Transcoder<T> serializer) {
        return client().add(key, serializer.encode(value), ttl);
    }

    @Override
    public <T> boolean replace(String key, T value, Duration ttl, Transcoder<T> serializer) {
        return client().replace(key, serializer.encode(value), ttl);
    }

    @Override
    public <T> boolean append(String key, T value, Transcoder<T> serializer) {
        ValueCoder.checkAppendable("append", serializer);
        return client().append(key, serializer.encode(value));
    }

    @Override
    public <T> boolean prepend(String key, T value, Transcoder<T> serializer) {
        ValueCoder.checkAppendable("prepend", serializer);
        return client().prepend(key, serializer.encode(value));
    }

    @Override
    public <T> CasResult cas(String key, T value, long casUnique, Duration ttl, Transcoder<T> serializer) {
        return client().cas(key, serializer.encode(value), casUnique, ttl);
    }

    @Override
    public boolean delete(String key) {
        return client().delete(key);
    }

    @Override
    public MultiDeleteResult multiDelete(Collection<String> keys) {
        return client().multiDelete(keys);
    }

    @Override
    public OptionalLong incr(String key, long delta) {
        return client().incr(key, delta);
    }

    @Override
    public OptionalLong incrUnsigned(String key, long delta) {
        return clientOfMemshard(
                        "this client accepts deltas up to " + Long.MAX_VALUE + ": call incr twice for a larger delta")
                .incrUnsigned(key, delta);
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
    public OptionalLong decrUnsigned(String key, long delta) {
        return clientOfMemshard(
                        "this client accepts deltas up to " + Long.MAX_VALUE + ": call decr twice for a larger delta")
                .decrUnsigned(key, delta);
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
    public <T> MetaClient<T> meta(Transcoder<T> serializer) {
        String classicOnly = "spymemcached has no meta commands: use engine MEMSHARD";
        clientOfMemshard(classicOnly).meta(); // A server without the meta protocol is refused here too.
        return new MetaCalls<>() {
            @Override
            <R extends @Nullable Object> R call(Function<MetaClient<T>, R> command) {
                return command.apply(
                        clientOfMemshard(classicOnly).withTranscoder(serializer).meta());
            }
        };
    }

    @Override
    public String version() {
        return client().version();
    }

    @Override
    public MemcachedConnection withTimeout(Duration timeout) {
        Duration checked = ConnectionOptions.checkTimeout("timeout", timeout);
        return new ClientConnection(() -> client().withTimeout(checked), closer);
    }

    @Override
    public void close() {
        closer.run();
    }

    private static <T> @Nullable T decoded(@Nullable EncodedValue stored, String key, Transcoder<T> serializer) {
        return stored == null ? null : stored.decodeWith(serializer, key);
    }
}
