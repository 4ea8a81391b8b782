package io.memshard.template;

import io.memshard.template.pool.ConnectionPool;

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
        return new PooledConnection(pool);
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
}
