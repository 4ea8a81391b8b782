// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

final class Handle implements MemcachedConnection, Lender {

    private final EngineConnectionFactory factory;
    private final int index;

    /** Null once a borrowed connection was returned. Atomic, so that only one thread can return the connection. */
    private final AtomicReference<@Nullable EngineConnections> connections;

    /** Pool to which {@link #close} returns a borrowed connection; null if callers share the connection. */
    private final @Nullable ConnectionPool pool;

    Handle(EngineConnectionFactory factory, int index, EngineConnections connections, @Nullable ConnectionPool pool) {
        this.factory = factory;
        this.index = index;
        this.connections = new AtomicReference<>(connections);
        this.pool = pool;
    }

    private EngineConnections connections() {
        EngineConnections open = connections.get();
        if (open == null) {
            throw new IllegalStateException("this connection was returned to the pool by close();"
                    + " get another connection from the factory for each unit of work");
        }
        return open;
    }

    @Override
    public <T> T lend(EngineConnectionFactory.Use<T> use) {
        return use.of(connections(), index);
    }

    @Override
    public <T> @Nullable T get(String key, Transcoder<T> serializer) {
        EncodedValue stored = connections().get(index, key);
        try {
            return stored == null ? null : stored.decodeWith(serializer, key, factory.options.hideKeys);
        } catch (MemcachedDecodingException e) {
            if (factory.options.failurePolicy.isMiss(e)) {
                return null;
            }
            throw e;
        }
    }

    @Override
    public <T> void set(String key, T value, Duration ttl, Transcoder<T> serializer) {
        connections().set(index, key, value, ttl, serializer);
    }

    @Override
    public <T> MemcachedClient<T> client(Transcoder<T> serializer) {
        return factory.client(this, serializer);
    }

    @Override
    public void close() {
        EngineConnections borrowed = pool == null ? null : connections.getAndSet(null);
        if (pool != null && borrowed != null) {
            pool.giveBack(borrowed);
        }
    }
}
