// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.sender.CommandSender;
import io.memshard.sharding.cluster.MemshardOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Factory of mode pooled. Each handle has its own connection, borrowed from the pool. */
final class PooledConnectionFactory extends EngineConnectionFactory {

    private final ConnectionPool pool;

    PooledConnectionFactory(Engine engine, MemshardOptions options, ConnectionPool pool) {
        super(engine, Mode.POOLED, options);
        this.pool = pool;
    }

    @Override
    public MemcachedConnection getConnection() {
        return new Loan();
    }

    @Override
    CommandSender sender(Lender lender) {
        return new LentSender(this, lender, null, null);
    }

    @Override
    public <T> T lend(Use<T> use) {
        EngineConnections borrowed = pool.borrow();
        try {
            return use.of(borrowed, 0);
        } finally {
            pool.giveBack(borrowed);
        }
    }

    @Override
    public void awaitReady(Duration timeout) {
        pool.awaitReady(timeout);
    }

    @Override
    public void close(Duration drainTimeout) {
        pool.close(drainTimeout);
    }

    @Override
    public void close() {
        pool.close();
    }

    private final class Loan extends ClientConnection {

        /** Borrowed client; null once returned. {@link #close} sets null atomically, so only one thread returns it. */
        private final AtomicReference<@Nullable EngineConnections> borrowed = new AtomicReference<>(pool.borrow());

        Loan() {
            super(PooledConnectionFactory.this, 0);
        }

        @Override
        EngineConnections connections() {
            EngineConnections connections = borrowed.get();
            if (connections == null) {
                throw new IllegalStateException("this connection was returned to the pool by close();"
                        + " get another from the factory for each unit of work");
            }
            return connections;
        }

        @Override
        public void close() {
            EngineConnections connections = borrowed.getAndSet(null);
            if (connections != null) {
                pool.giveBack(connections);
            }
        }
    }
}
