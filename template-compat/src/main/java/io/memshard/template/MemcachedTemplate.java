// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.AsyncItemOperations;
import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.operation.CasLoop;
import io.memshard.client.options.ConnectionOptions;
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
 * Template over memcached: each call gets a connection, runs the command on it, and closes the handle.
 *
 * <p>Getting a connection costs a borrow and a return in mode pooled, a choice in mode sharded, and nothing in mode
 * single. A template is a {@link MemcachedClient}, whose methods describe arguments, results and failures. {@link
 * MemcachedOperations} has the additional operations.
 *
 * <p>The template owns nothing and needs no closing. The factory owns the connections and must be closed; in Spring it
 * is a separate bean.
 *
 * <p>Threading: thread-safe. Two calls of one thread are executed in order if they get the same connection. All
 * commands of one {@link #execute} do.
 */
public final class MemcachedTemplate<V> implements MemcachedOperations<V> {

    private final MemcachedConnectionFactory connectionFactory;
    private final Transcoder<V> serializer;

    /** Request timeout; null if the timeout of the connections applies. */
    private final @Nullable Duration timeout;

    /**
     * Creates a template over the connections of {@code connectionFactory}, for values of {@code serializer}.
     *
     * @param serializer any transcoder, such as {@link Transcoder#utf8()}
     */
    public MemcachedTemplate(MemcachedConnectionFactory connectionFactory, Transcoder<V> serializer) {
        this(connectionFactory, serializer, null);
    }

    private MemcachedTemplate(
            MemcachedConnectionFactory connectionFactory, Transcoder<V> serializer, @Nullable Duration timeout) {
        this.connectionFactory = Objects.requireNonNull(connectionFactory, "connectionFactory");
        this.serializer = Objects.requireNonNull(serializer, "serializer");
        this.timeout = timeout;
    }

    /**
     * Returns the factory of this template's connections, for callers that keep a connection. In mode pooled, such a
     * connection stays borrowed until its caller closes it: see {@link MemcachedConnectionFactory#getConnection()}.
     */
    public MemcachedConnectionFactory getConnectionFactory() {
        return connectionFactory;
    }

    private MemcachedConnection connection() {
        MemcachedConnection connection = connectionFactory.getConnection();
        return timeout == null ? connection : connection.withTimeout(timeout);
    }

    /** Runs {@code callback} on one connection, closes the handle, and returns the callback's result. */
    public <T extends @Nullable Object> T execute(Function<? super MemcachedConnection, ? extends T> callback) {
        try (MemcachedConnection connection = connection()) {
            return callback.apply(connection);
        }
    }

    @Override
    public List<@Nullable Object> executePipelined(Consumer<? super AsyncMemcachedClient<V>> calls) {
        return engineFactory().lendOne((connections, index) -> {
            AsyncItemOperations<V> client = connections.asyncConnection(index, serializer);
            return Pipeline.run(timeout == null ? client : client.withTimeout(timeout), calls);
        });
    }

    @Override
    public AsyncMemcachedClient<V> async() {
        AsyncMemcachedClient<V> client = engineFactory().asyncClient(serializer);
        return timeout == null ? client : client.withTimeout(timeout);
    }

    @Override
    public @Nullable V update(
            String key, Duration ttl, int maxTries, Function<? super @Nullable V, ? extends @Nullable V> change) {
        return new CasLoop<V>(key, ttl, change, maxTries, engineFactory().hidesKeys()).run(this);
    }

    @Override
    public @Nullable V get(String key) {
        // Not through execute, whose callback may allocate.
        try (MemcachedConnection connection = connection()) {
            return connection.get(key, serializer);
        }
    }

    @Override
    public @Nullable CasValue<V> gets(String key) {
        return execute(connection -> connection.gets(key, serializer));
    }

    @Override
    public @Nullable V getAndTouch(String key, Duration ttl) {
        return execute(connection -> connection.getAndTouch(key, ttl, serializer));
    }

    @Override
    public MultiGetResult<V> multiGet(Collection<String> keys) {
        return execute(connection -> connection.multiGet(keys, serializer));
    }

    @Override
    public MultiGetResult<CasValue<V>> multiGets(Collection<String> keys) {
        return client().multiGets(keys);
    }

    @Override
    public MultiGetResult<V> multiGetAndTouch(Collection<String> keys, Duration ttl) {
        return client().multiGetAndTouch(keys, ttl);
    }

    @Override
    public void set(String key, V value, Duration ttl) {
        try (MemcachedConnection connection = connection()) {
            connection.set(key, value, ttl, serializer);
        }
    }

    @Override
    public MultiSetResult multiSet(Map<String, ? extends V> values, Duration ttl) {
        return execute(connection -> connection.multiSet(values, ttl, serializer));
    }

    @Override
    public boolean add(String key, V value, Duration ttl) {
        return execute(connection -> connection.add(key, value, ttl, serializer));
    }

    @Override
    public boolean replace(String key, V value, Duration ttl) {
        return execute(connection -> connection.replace(key, value, ttl, serializer));
    }

    @Override
    public boolean append(String key, V value) {
        return execute(connection -> connection.append(key, value, serializer));
    }

    @Override
    public boolean prepend(String key, V value) {
        return execute(connection -> connection.prepend(key, value, serializer));
    }

    @Override
    public CasResult cas(String key, V value, long casUnique, Duration ttl) {
        return execute(connection -> connection.cas(key, value, casUnique, ttl, serializer));
    }

    @Override
    public boolean delete(String key) {
        return execute(connection -> connection.delete(key));
    }

    @Override
    public MultiDeleteResult multiDelete(Collection<String> keys) {
        return execute(connection -> connection.multiDelete(keys));
    }

    @Override
    public OptionalLong incr(String key, long delta) {
        return execute(connection -> connection.incr(key, delta));
    }

    @Override
    public OptionalLong incrUnsigned(String key, long delta) {
        return execute(connection -> connection.incrUnsigned(key, delta));
    }

    @Override
    public long incr(String key, long delta, long initial, Duration ttl) {
        return execute(connection -> connection.incr(key, delta, initial, ttl));
    }

    @Override
    public OptionalLong decr(String key, long delta) {
        return execute(connection -> connection.decr(key, delta));
    }

    @Override
    public OptionalLong decrUnsigned(String key, long delta) {
        return execute(connection -> connection.decrUnsigned(key, delta));
    }

    @Override
    public long decr(String key, long delta, long initial, Duration ttl) {
        return execute(connection -> connection.decr(key, delta, initial, ttl));
    }

    @Override
    public boolean touch(String key, Duration ttl) {
        return execute(connection -> connection.touch(key, ttl));
    }

    @Override
    public String version() {
        return execute(connection -> connection.version());
    }

    @Override
    public boolean invalidate(String key, Duration staleFor) {
        return client().invalidate(key, staleFor);
    }

    @Override
    public @Nullable V getOrLoad(
            String key, Duration ttl, ValueLoader<? super String, ? extends V> loader, LoadOptions loadOptions) {
        return client().getOrLoad(key, ttl, loader, loadOptions);
    }

    @Override
    public @Nullable V getOrLoad(
            String key,
            Function<? super V, Duration> ttl,
            ValueLoader<? super String, ? extends V> loader,
            LoadOptions loadOptions) {
        return client().getOrLoad(key, ttl, loader, loadOptions);
    }

    @Override
    public MultiGetResult<V> multiGetOrLoad(
            Collection<String> keys,
            Duration ttl,
            ValueLoader<? super Set<String>, ? extends Map<String, V>> loader,
            LoadOptions loadOptions) {
        return client().multiGetOrLoad(keys, ttl, loader, loadOptions);
    }

    /** {@inheritDoc} Each command gets its own connection, and no connection is held between commands. */
    @Override
    public MetaClient<V> meta() {
        return client().meta();
    }

    /**
     * {@inheritDoc} Getting a connection is part of each attempt. Under {@link FailurePolicy#TREAT_AS_MISS}, a read
     * that gets no connection from the pool is a miss.
     *
     * @throws MemcachedUnsupportedException with the engine spymemcached
     */
    @Override
    public MemcachedClient<V> withFailurePolicy(FailurePolicy policy) {
        return client().withFailurePolicy(policy);
    }

    /**
     * {@inheritDoc}
     *
     * @throws MemcachedUnsupportedException with the engine spymemcached
     */
    @Override
    public MemcachedClient<V> withServerDown(ServerDownPolicy policy) {
        return client().withServerDown(policy);
    }

    /**
     * {@inheritDoc}
     *
     * @throws MemcachedUnsupportedException with the engine spymemcached
     */
    @Override
    public MemcachedClient<V> withRoutingKey(String routingKey) {
        return client().withRoutingKey(routingKey);
    }

    /**
     * {@inheritDoc}
     *
     * @throws MemcachedUnsupportedException with the engine spymemcached
     */
    @Override
    public MemcachedClient<V> withKeyPrefix(String prefix) {
        return client().withKeyPrefix(prefix);
    }

    /**
     * {@inheritDoc}
     *
     * @throws MemcachedUnsupportedException with the engine spymemcached
     */
    @Override
    public MemcachedClient<V> withHashedKeys() {
        return client().withHashedKeys();
    }

    /** Returns a client of engine memshard that gets a connection for each command. */
    private MemcachedClient<V> client() {
        MemcachedClient<V> client = engineFactory().client(serializer);
        return timeout == null ? client : client.withTimeout(timeout);
    }

    private EngineConnectionFactory engineFactory() {
        if (connectionFactory instanceof EngineConnectionFactory factory) {
            return factory;
        }
        throw new MemcachedUnsupportedException("this needs a factory built by MemcachedConnectionFactory.builder()");
    }

    /** Returns a template over the same factory, for values of another type. */
    @Override
    public <W> MemcachedTemplate<W> withTranscoder(Transcoder<W> transcoder) {
        return new MemcachedTemplate<>(connectionFactory, transcoder, timeout);
    }

    /**
     * Returns a template over the same factory with another request timeout: see {@link
     * MemcachedConnection#withTimeout}. The timeout does not change {@code poolWaitLimit}, the wait for a pooled
     * connection.
     */
    @Override
    public MemcachedTemplate<V> withTimeout(Duration newTimeout) {
        return new MemcachedTemplate<>(
                connectionFactory, serializer, ConnectionOptions.checkTimeout("timeout", newTimeout));
    }

    /** Returns the server, engine and mode, and the timeout if the template has its own. */
    @Override
    public String toString() {
        return "MemcachedTemplate[" + connectionFactory + ", engine=" + connectionFactory.engine() + ", mode="
                + connectionFactory.mode() + (timeout == null ? "" : ", requestTimeout=" + timeout) + ']';
    }
}
