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
 * Commons Pool 2 {@link GenericObjectPool} of whole clients with one connection each, configured like the Template of
 * the article on Venus-cache, for a fair comparison.
 *
 * <p>maxIdle and minIdle equal maxTotal: with the default of 8 idle objects, a larger pool would close and open clients
 * all the time. Every client has answered a command before the pool is used. Other settings are defaults of Commons
 * Pool: last in first out, statistics and JMX on, no test on borrow.
 *
 * <p>Threading: thread-safe; borrowing and returning take the locks of Commons Pool.
 *
 * <p>Memory effects: opening a client adds it to {@link #open} and then reads {@link #closed}. Closing the pool writes
 * {@link #closed} and then iterates over {@link #open}. So at least one of the two threads closes a client that is
 * opened while the pool closes.
 *
 * <p>Failure: a client that is returned while its connection is down is closed. A waiting borrower gets a replacement
 * at once; otherwise the next borrower that finds no idle client opens the replacement. If the replacement does not
 * answer, its borrower fails.
 */
final class ConnectionPool implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionPool.class);

    private final GenericObjectPool<EngineConnections> pool;
    private final Supplier<EngineConnections> opener;

    /** All open clients, borrowed or not. */
    private final Set<EngineConnections> open = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;
    private final Duration waitLimit;

    /**
     * Creates a full pool: {@code size} clients are open and have answered.
     *
     * @param opener opens one client with one connection
     * @param size number of clients, at least 1
     * @param waitLimit maximum wait for a client when all are borrowed, positive
     * @throws MemcachedException if a client cannot be opened; no client is left open then
     */
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

    /**
     * Borrows a client, which belongs to the caller until {@link #giveBack}.
     *
     * @throws MemcachedOverloadException if all clients stayed borrowed for {@code waitLimit}
     */
    public EngineConnections borrow() {
        try {
            return pool.borrowObject();
        } catch (Exception e) {
            throw translated(e);
        }
    }

    /** Returns a borrowed client to the pool. Never throws because of the client's state. */
    public void giveBack(EngineConnections client) {
        if (client.isReady(0)) {
            pool.returnObject(client);
            return;
        }
        try {
            pool.invalidateObject(client);
        } catch (Exception e) {
            // The client has left the pool. Opening its replacement for a waiting borrower failed, so the borrower
            // keeps waiting.
            LOG.debug("Cannot replace a broken client yet", e);
        }
    }

    int open() {
        return open.size();
    }

    /** Waits until every client is ready, one after another, each for the remaining time. */
    void awaitReady(Duration timeout) {
        forEachWithin(timeout, EngineConnections::awaitReady);
    }

    /** Lets each client complete its commands in flight and closes it, within the remaining time. */
    void close(Duration drainTimeout) {
        pool.close();
        forEachWithin(drainTimeout, EngineConnections::close);
        close();
    }

    /** Applies {@code action} to each open client within the remaining time, at least a millisecond each. */
    private void forEachWithin(Duration timeout, BiConsumer<EngineConnections, Duration> action) {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (EngineConnections client : open) {
            long left = deadline - System.nanoTime();
            action.accept(client, Duration.ofNanos(Math.max(left, 1_000_000)));
        }
    }

    /** Closes every client, including borrowed ones. */
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
                            + " ms: close each after use, raise connectionsPerServer or poolWaitLimit, or use mode SHARDED",
                    null,
                    e);
        }
        return new MemcachedConnectionException(
                pool.isClosed() ? "the connection factory is closed" : "the pool has no connection: " + e, null, e);
    }

    private final class Clients extends BasePooledObjectFactory<EngineConnections> {

        /** Returns a client that has answered. */
        @Override
        public EngineConnections create() {
            EngineConnections client = opener.get();
            open.add(client);
            try {
                if (closed) {
                    client.close(); // The check then fails, and reports that the client is closed.
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
