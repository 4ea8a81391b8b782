// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedOverloadException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commons Pool 2 {@link GenericObjectPool} of clients with one connection to each server. maxIdle and minIdle equal
 * maxTotal: the default maxIdle of 8 would make a larger pool constantly close and open clients.
 *
 * <p>Memory effects: a thread that opens a client adds the client to {@link #open} and then reads {@link #closed}. The
 * thread that closes the pool writes {@link #closed} and then iterates over {@link #open}. So if a client is opened
 * while the pool closes, at least one of these threads closes the client.
 */
final class ConnectionPool implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionPool.class);

    private final GenericObjectPool<EngineConnections> pool;
    private final Supplier<EngineConnections> opener;
    private final Set<EngineConnections> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    private final Duration waitLimit;

    public ConnectionPool(Supplier<EngineConnections> opener, int size, Duration waitLimit) {
        GenericObjectPoolConfig<EngineConnections> config = new GenericObjectPoolConfig<>();
        config.setMaxTotal(size);
        config.setMaxIdle(size);
        config.setMinIdle(size);
        config.setBlockWhenExhausted(true);
        config.setMaxWait(waitLimit);
        this.opener = opener;
        this.pool = new GenericObjectPool<>(new Clients(), config);
        this.waitLimit = waitLimit;
        try {
            pool.addObjects(size);
        } catch (Exception e) {
            close();
            throw translated(e);
        }
    }

    public EngineConnections borrow() {
        try {
            return pool.borrowObject();
        } catch (Exception e) {
            throw translated(e);
        }
    }

    public void giveBack(EngineConnections client) {
        if (client.isReady(0)) {
            pool.returnObject(client);
            return;
        }
        try {
            pool.invalidateObject(client);
        } catch (Exception e) {
            // The broken client has left the pool; only its replacement could not be opened.
            LOG.debug("cannot replace a broken pooled connection: callers may wait until poolWaitLimit expires", e);
        }
    }

    int open() {
        return open.size();
    }

    void awaitReady(Duration timeout) {
        forEachWithin(timeout, EngineConnections::awaitReady);
    }

    void close(Duration drainTimeout) {
        pool.close();
        forEachWithin(drainTimeout, EngineConnections::close);
        close();
    }

    private void forEachWithin(Duration timeout, BiConsumer<EngineConnections, Duration> action) {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (EngineConnections client : open) {
            long left = deadline - System.nanoTime();
            action.accept(client, Duration.ofNanos(Math.max(left, 1_000_000)));
        }
    }

    @Override
    public void close() {
        closed = true;
        pool.close();
        open.forEach(this::close);
    }

    private void close(EngineConnections client) {
        open.remove(client);
        client.close();
    }

    private MemcachedException translated(Exception e) {
        if (e instanceof MemcachedException failure) {
            return failure;
        }
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return new MemcachedInterruptedException("interrupted while waiting for a pooled connection", null, e);
        }
        if (e instanceof NoSuchElementException) {
            return new MemcachedOverloadException(
                    "all " + pool.getMaxTotal() + " connections of the pool were in use for " + waitLimit.toMillis()
                            + " ms: close each connection after use, raise connectionsPerServer or poolWaitLimit,"
                            + " or use mode SHARDED",
                    null,
                    e);
        }
        return new MemcachedConnectionException(
                pool.isClosed() ? "the connection factory is closed" : "cannot open a connection: " + e, null, e);
    }

    private final class Clients extends BasePooledObjectFactory<EngineConnections> {

        @Override
        public EngineConnections create() {
            EngineConnections client = opener.get();
            open.add(client);
            try {
                if (closed) {
                    client.close(); // checkAnswers then throws.
                }
                client.checkAnswers();
                return client;
            } catch (RuntimeException e) {
                close(client);
                throw e;
            }
        }

        @Override
        public PooledObject<EngineConnections> wrap(EngineConnections client) {
            return new DefaultPooledObject<>(client);
        }

        @Override
        public void destroyObject(PooledObject<EngineConnections> pooled) {
            close(pooled.getObject());
        }
    }
}
