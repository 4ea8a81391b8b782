// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedOverloadException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Commons Pool 2 {@link GenericObjectPool} of whole clients with one connection each, set up as the article's
 * Template needs for a fair comparison.
 *
 * <p>maxIdle and minIdle equal maxTotal: with the default of 8 idle objects a larger pool would close and open clients
 * all the time. Every client has answered a command before the pool is used. All other settings are the defaults of
 * Commons Pool: last in first out, statistics and JMX on, no test on borrow.
 *
 * <p>Threading: thread-safe; borrowing and returning take the locks of Commons Pool.
 *
 * <p>Failure: a client whose connection is down when it is given back leaves the pool. Another client that has answered
 * takes its place, at once or when the next borrower finds none idle. If that one does not answer, its borrower fails.
 * With an engine that {@linkplain EngineConnections#reconnectsSoon reconnects soon}, clients that left the pool stay
 * open and come back, so none is built while the server is away. With other engines the client is closed and a new one
 * opened.
 */
final class ConnectionPool implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionPool.class);

    private final GenericObjectPool<EngineConnections> pool;
    private final PooledClients clients;
    private final Duration waitLimit;

    /**
     * A pool that is full: {@code size} clients are open and answered.
     *
     * @param opener opens one client with one connection
     * @param size how many clients, at least 1
     * @param waitLimit how long to wait for a client when all are borrowed, positive
     * @param openTimeout how long a client of an engine that reconnects soon may take to open and answer, positive
     * @throws MemcachedException if a client cannot be opened; none is left open then
     */
    public ConnectionPool(Supplier<EngineConnections> opener, int size, Duration waitLimit, Duration openTimeout) {
        GenericObjectPoolConfig<EngineConnections> config = new GenericObjectPoolConfig<>();
        config.setMaxTotal(size);
        config.setMaxIdle(size);
        config.setMinIdle(size);
        config.setBlockWhenExhausted(true);
        config.setMaxWait(waitLimit);
        this.clients = new PooledClients(opener, openTimeout);
        this.pool = new GenericObjectPool<>(clients, config);
        this.waitLimit = waitLimit;
        try {
            pool.addObjects(size);
        } catch (Exception e) {
            close();
            throw translated(e);
        }
    }

    /**
     * A client that is the caller's until it is given back.
     *
     * @throws MemcachedOverloadException if all stayed borrowed for the wait limit
     */
    public EngineConnections borrow() {
        try {
            return pool.borrowObject();
        } catch (Exception e) {
            throw translated(e);
        }
    }

    /** Takes a borrowed client back. Never throws because of the client's state. */
    public void giveBack(EngineConnections client) {
        if (client.isReady(0)) {
            pool.returnObject(client);
            return;
        }
        try {
            pool.invalidateObject(client);
        } catch (Exception e) {
            // The client has left the pool. Its replacement for a waiting borrower failed, and that borrower tries
            // again.
            LOG.debug("No replacement for a broken client yet", e);
        }
    }

    /** How many clients are open, borrowed or idle. */
    int open() {
        return clients.open();
    }

    /** Waits until every client is ready, one after the other, each for the time that is left. */
    void awaitReady(Duration timeout) {
        clients.forEachWithin(timeout, EngineConnections::awaitReady);
    }

    /** Lets each client end what it has in flight, and closes it, in the time that is left. */
    void close(Duration drainTimeout) {
        pool.close();
        clients.forEachWithin(drainTimeout, EngineConnections::close);
        clients.closeAll();
    }

    /** Closes every client, the borrowed ones as well. */
    @Override
    public void close() {
        pool.close();
        clients.closeAll();
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
                            + " ms: close each after use, raise size, or poolWaitLimit, or use mode SHARDED",
                    null,
                    e);
        }
        return new MemcachedConnectionException(
                pool.isClosed() ? "the connection factory is closed" : "no pooled connection: " + e, null, e);
    }
}
