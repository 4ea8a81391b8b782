package io.memshard.template;

import io.memshard.client.EncodedValue;
import io.memshard.client.MemcachedClient;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Mode pooled: a handle for each borrow. */
final class PooledConnectionFactory implements MemcachedConnectionFactory {

    private final Engine engine;
    private final ConnectionPool pool;

    PooledConnectionFactory(Engine engine, ConnectionPool pool) {
        this.engine = engine;
        this.pool = pool;
    }

    @Override
    public MemcachedConnection getConnection() {
        Loan loan = new Loan(pool);
        return new ClientConnection(loan::client, loan::end);
    }

    @Override
    public Engine engine() {
        return engine;
    }

    @Override
    public Mode mode() {
        return Mode.POOLED;
    }

    @Override
    public void close() {
        pool.close();
    }

    /** A client that is borrowed until its handle is closed. */
    private static final class Loan {

        private final ConnectionPool pool;

        /** Null once returned. The exchange in {@link #end} lets one of several closers give it back. */
        private final AtomicReference<@Nullable EngineConnections> borrowed;

        Loan(ConnectionPool pool) {
            this.pool = pool;
            this.borrowed = new AtomicReference<>(pool.borrow());
        }

        MemcachedClient<EncodedValue> client() {
            EngineConnections connections = borrowed.get();
            if (connections == null) {
                throw new IllegalStateException("this connection was returned to the pool by close();"
                        + " get another from the factory for each unit of work");
            }
            return connections.connection(0);
        }

        void end() {
            EngineConnections connections = borrowed.getAndSet(null);
            if (connections != null) {
                pool.giveBack(connections);
            }
        }
    }
}
