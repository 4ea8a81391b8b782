// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.MemcachedClient;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.transcoder.Transcoder;
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
    <V> MemcachedClient<V> memshardClient(Lender lender, Transcoder<V> transcoder) {
        // With several servers, the server of a key is known only to a borrowed connection.
        ServerAddress only = options.servers.size() == 1 ? options.server() : null;
        LentSender sender = new LentSender(options, lender, null, null);
        return options.client(sender, transcoder, key -> only, timeoutNanos -> timeoutNanos);
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
