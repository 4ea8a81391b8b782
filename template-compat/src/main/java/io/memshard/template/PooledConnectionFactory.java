// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.sender.CommandSender;
import io.memshard.sharding.cluster.MemshardOptions;
import java.time.Duration;

final class PooledConnectionFactory extends EngineConnectionFactory {

    private final ConnectionPool pool;

    PooledConnectionFactory(Engine engine, MemshardOptions options, ConnectionPool pool) {
        super(engine, Mode.POOLED, options);
        this.pool = pool;
    }

    @Override
    public MemcachedConnection getConnection() {
        return new Handle(this, 0, pool.borrow(), pool);
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
}
