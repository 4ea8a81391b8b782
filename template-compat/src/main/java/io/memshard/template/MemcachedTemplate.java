// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.concurrent.Timeouts;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Template for memcached. Each call gets a connection, runs the command on the connection, and gives the connection
 * back.
 *
 * <p>Mode pooled borrows a connection for each call, mode sharded chooses a connection, and mode single always uses the
 * same connection. The javadoc of {@link MemcachedClient} and {@link MemcachedOperations} describes the methods. An
 * operation that the client library lacks throws a {@link io.memshard.client.exception.MemcachedUnsupportedException}.
 *
 * <p>The template owns no connections and need not be closed. The factory owns the connections and must be closed; in
 * Spring the factory is a separate bean.
 *
 * <p>Threading: thread-safe. Two calls of one thread are executed in order if both calls get the same connection.
 * Within one {@link #execute}, all commands get the same connection.
 */
public final class MemcachedTemplate<V> implements MemcachedOperations<V> {

    private final EngineConnectionFactory connectionFactory;
    private final Transcoder<V> serializer;

    /** Request timeout; null if the timeout of the connections applies. */
    private final @Nullable Duration timeout;

    private final MemcachedClient<V> client;

    /** True if a call of a handle allocates less memory than a call of {@link #client}, which borrows. */
    private final boolean usesHandles;

    /**
     * Creates a template that uses the connections of {@code connectionFactory}, for values that {@code serializer}
     * converts.
     *
     * @param connectionFactory a factory that was created by {@link MemcachedConnectionFactory} or its builder
     * @param serializer any transcoder, such as {@link Transcoder#utf8()}
     */
    public MemcachedTemplate(MemcachedConnectionFactory connectionFactory, Transcoder<V> serializer) {
        this(
                (EngineConnectionFactory) Objects.requireNonNull(connectionFactory, "connectionFactory is null"),
                Objects.requireNonNull(serializer, "serializer is null"),
                null);
    }

    private MemcachedTemplate(
            EngineConnectionFactory connectionFactory, Transcoder<V> serializer, @Nullable Duration timeout) {
        this.connectionFactory = connectionFactory;
        this.serializer = serializer;
        this.timeout = timeout;
        MemcachedClient<V> untimed = connectionFactory.client(connectionFactory, serializer);
        this.client = timeout == null ? untimed : untimed.withTimeout(timeout);
        this.usesHandles = timeout == null && connectionFactory.lends();
    }

    /**
     * Returns the factory of this template's connections, for callers that keep a connection. In mode pooled, a
     * connection stays borrowed until its handle is closed: see {@link MemcachedConnectionFactory#getConnection()}.
     */
    public MemcachedConnectionFactory getConnectionFactory() {
        return connectionFactory;
    }

    /** Calls {@code callback} with a handle, closes the handle, and returns the callback's result. */
    public <T extends @Nullable Object> T execute(Function<? super MemcachedConnection, ? extends T> callback) {
        try (MemcachedConnection connection = connectionFactory.getConnection()) {
            return callback.apply(timeout == null ? connection : new TimedConnection(connection, timeout));
        }
    }

    private record TimedConnection(MemcachedConnection connection, Duration timeout) implements MemcachedConnection {

        @Override
        public <T> MemcachedClient<T> client(Transcoder<T> serializer) {
            return connection.client(serializer).withTimeout(timeout);
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    @Override
    public List<@Nullable Object> executePipelined(Consumer<? super AsyncMemcachedClient<V>> calls) {
        return execute(connection -> Pipeline.run(connection.client(serializer).async(), calls));
    }

    @Override
    public @Nullable V get(String key) {
        if (!usesHandles) {
            return client.get(key);
        }
        try (MemcachedConnection connection = connectionFactory.getConnection()) {
            return connection.get(key, serializer);
        }
    }

    @Override
    public void set(String key, V value, Duration ttl) {
        if (!usesHandles) {
            client.set(key, value, ttl);
            return;
        }
        try (MemcachedConnection connection = connectionFactory.getConnection()) {
            connection.set(key, value, ttl, serializer);
        }
    }

    @Override
    public @Nullable CasValue<V> gets(String key) {
        return client.gets(key);
    }

    @Override
    public @Nullable V getAndTouch(String key, Duration ttl) {
        return client.getAndTouch(key, ttl);
    }

    @Override
    public MultiGetResult<V> multiGet(Collection<String> keys) {
        return client.multiGet(keys);
    }

    @Override
    public MultiGetResult<CasValue<V>> multiGets(Collection<String> keys) {
        return client.multiGets(keys);
    }

    @Override
    public MultiGetResult<V> multiGetAndTouch(Collection<String> keys, Duration ttl) {
        return client.multiGetAndTouch(keys, ttl);
    }

    @Override
    public MultiWriteResult multiSet(Map<String, ? extends V> values, Duration ttl) {
        return client.multiSet(values, ttl);
    }

    @Override
    public boolean add(String key, V value, Duration ttl) {
        return client.add(key, value, ttl);
    }

    @Override
    public boolean replace(String key, V value, Duration ttl) {
        return client.replace(key, value, ttl);
    }

    @Override
    public boolean append(String key, V value) {
        return client.append(key, value);
    }

    @Override
    public boolean prepend(String key, V value) {
        return client.prepend(key, value);
    }

    @Override
    public WriteStatus cas(String key, V value, long casUnique, Duration ttl) {
        return client.cas(key, value, casUnique, ttl);
    }

    @Override
    public @Nullable V update(String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change) {
        return client.update(key, ttl, change);
    }

    @Override
    public boolean delete(String key) {
        return client.delete(key);
    }

    @Override
    public MultiWriteResult multiDelete(Collection<String> keys) {
        return client.multiDelete(keys);
    }

    @Override
    public OptionalLong incr(String key, long delta) {
        return client.incr(key, delta);
    }

    @Override
    public long incr(String key, long delta, long initial, Duration ttl) {
        return client.incr(key, delta, initial, ttl);
    }

    @Override
    public OptionalLong decr(String key, long delta) {
        return client.decr(key, delta);
    }

    @Override
    public long decr(String key, long delta, long initial, Duration ttl) {
        return client.decr(key, delta, initial, ttl);
    }

    @Override
    public boolean touch(String key, Duration ttl) {
        return client.touch(key, ttl);
    }

    @Override
    public String version() {
        return client.version();
    }

    @Override
    public boolean invalidate(String key, Duration staleFor) {
        return client.invalidate(key, staleFor);
    }

    @Override
    public @Nullable V getOrLoad(
            String key, Duration ttl, ValueLoader<? super String, ? extends V> loader, LoadOptions loadOptions) {
        return client.getOrLoad(key, ttl, loader, loadOptions);
    }

    @Override
    public @Nullable V getOrLoad(
            String key,
            Function<? super V, Duration> ttl,
            ValueLoader<? super String, ? extends V> loader,
            LoadOptions loadOptions) {
        return client.getOrLoad(key, ttl, loader, loadOptions);
    }

    @Override
    public MultiGetResult<V> multiGetOrLoad(
            Collection<String> keys,
            Duration ttl,
            ValueLoader<? super Set<String>, ? extends Map<String, V>> loader,
            LoadOptions loadOptions) {
        return client.multiGetOrLoad(keys, ttl, loader, loadOptions);
    }

    /** {@inheritDoc} Each command gets its own connection, and no connection is held between commands. */
    @Override
    public MetaClient<V> meta() {
        return client.meta();
    }

    @Override
    public AsyncMemcachedClient<V> async() {
        return client.async();
    }

    /**
     * {@inheritDoc} The policy also applies to a call that gets no connection from the pool. Under {@link
     * FailurePolicy#TREAT_AS_MISS}, for example, a read that gets no connection is a miss.
     */
    @Override
    public MemcachedClient<V> withFailurePolicy(FailurePolicy policy) {
        return client.withFailurePolicy(policy);
    }

    @Override
    public MemcachedClient<V> withServerDown(ServerDownPolicy policy) {
        return client.withServerDown(policy);
    }

    @Override
    public MemcachedClient<V> withRoutingKey(String routingKey) {
        return client.withRoutingKey(routingKey);
    }

    @Override
    public MemcachedClient<V> withKeyPrefix(String prefix) {
        return client.withKeyPrefix(prefix);
    }

    @Override
    public MemcachedClient<V> withHashedKeys() {
        return client.withHashedKeys();
    }

    /** Returns a template with the same factory, for values of another type. */
    @Override
    public <W> MemcachedTemplate<W> withTranscoder(Transcoder<W> transcoder) {
        return new MemcachedTemplate<>(connectionFactory, transcoder, timeout);
    }

    /**
     * Returns a template with the same factory and another request timeout. This timeout does not limit the wait for a
     * pooled connection; {@code poolWaitLimit} limits that wait.
     *
     * @param newTimeout maximum wait of a call for its reply, more than zero and at most 24 days. With engine
     *     spymemcached, some calls send several commands, and each of these commands may wait for {@code newTimeout}.
     *     spymemcached drops a command that was not written within the builder's {@code requestTimeout}, even if {@code
     *     newTimeout} is longer
     */
    @Override
    public MemcachedTemplate<V> withTimeout(Duration newTimeout) {
        return new MemcachedTemplate<>(connectionFactory, serializer, Timeouts.check("timeout", newTimeout));
    }

    /** Returns the servers, the engine and the mode, and the template's own timeout if it has one. */
    @Override
    public String toString() {
        return "MemcachedTemplate[" + connectionFactory + ", engine=" + connectionFactory.engine() + ", mode="
                + connectionFactory.mode() + (timeout == null ? "" : ", requestTimeout=" + timeout) + ']';
    }
}
