package io.memshard.template;

import io.memshard.client.MemcachedClient;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.template.engine.EngineConnections;
import io.memshard.template.pool.ConnectionPool;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A handle that holds a borrowed client until it is closed. */
final class PooledConnection extends ClientConnection {

    private final ConnectionPool pool;

    /** Null once returned. The exchange in {@link #close} lets one of several closers give it back. */
    private final AtomicReference<@Nullable EngineConnections> borrowed;

    PooledConnection(ConnectionPool pool) {
        this.pool = pool;
        this.borrowed = new AtomicReference<>(pool.borrow());
    }

    @Override
    MemcachedClient<EncodedValue> client() {
        EngineConnections connections = borrowed.get();
        if (connections == null) {
            throw new IllegalStateException("this connection was returned to the pool by close();"
                    + " get another from the factory for each unit of work");
        }
        return connections.connection(0);
    }

    @Override
    public void close() {
        EngineConnections connections = borrowed.getAndSet(null);
        if (connections != null) {
            pool.giveBack(connections);
        }
    }
}
