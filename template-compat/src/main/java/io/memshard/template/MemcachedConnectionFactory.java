// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.Memshard;
import io.memshard.client.admin.ServerHealth;
import io.memshard.sharding.cluster.Cluster;
import java.time.Duration;
import java.util.Objects;

/**
 * Factory that opens and owns connections to memcached servers, and gives callers handles of the connections.
 *
 * <p>An application needs only one factory. In Spring, define the factory as a {@code @Bean}, which the context closes.
 *
 * <p>Threading: thread-safe. {@link #getConnection()} takes no lock and allocates nothing in the modes single and
 * sharded. In mode pooled, {@code getConnection()} may wait until another caller returns a connection.
 */
public interface MemcachedConnectionFactory extends AutoCloseable {

    /** Returns a builder, by default with engine memshard and mode sharded. */
    static MemcachedConnectionFactoryBuilder builder() {
        return new MemcachedConnectionFactoryBuilder();
    }

    /**
     * Returns a factory that shares the connections of {@code memshard}. If the servers of {@code memshard} change, the
     * factory uses the new servers. The mode is single if {@code memshard} has one connection per server, and otherwise
     * sharded.
     *
     * <p>Closing the factory does nothing, because {@code memshard} owns the connections.
     */
    static MemcachedConnectionFactory over(Memshard memshard) {
        Objects.requireNonNull(memshard, "memshard is null");
        Cluster cluster = memshard.unwrap(Cluster.class);
        Mode mode = cluster.options().connectionsPerServer == 1 ? Mode.SINGLE : Mode.SHARDED;
        return new SharedConnectionFactory(
                Engine.MEMSHARD, mode, cluster.options(), MemshardConnections.sharing(cluster));
    }

    /**
     * Returns a handle that uses one connection to each server. In mode pooled, the handle borrows the connections from
     * the pool. In mode single, all handles use the same connections. In mode sharded, the chooser picks the
     * connections when this method is called.
     *
     * <p>In mode pooled, no other caller can borrow the connections until the handle is closed, so use
     * try-with-resources. The expression {@code getConnection().get(key, serializer)} never closes the handle, and so
     * leaks the connections. In the other modes, closing a handle does nothing, and a handle can be kept and shared.
     *
     * @throws io.memshard.client.exception.MemcachedOverloadException if all pooled connections stayed borrowed for the
     *     whole {@code poolWaitLimit}
     * @throws io.memshard.client.exception.MemcachedConnectionException if the pool cannot open a connection, or is
     *     closed; in the modes single and sharded, the first command through the handle throws this exception
     */
    MemcachedConnection getConnection();

    /** Returns the client library of the connections. */
    Engine engine();

    /** Returns the way in which callers get connections. */
    Mode mode();

    /**
     * Opens all connections, and waits until all connections are ready. Engine spymemcached opens its connections
     * earlier, when the factory is built.
     *
     * @param timeout maximum wait, more than zero and at most 24 days
     * @throws io.memshard.client.exception.MemcachedConnectionException if a connection is not ready in time; the
     *     message gives the reason for each connection that is not ready
     */
    void awaitReady(Duration timeout);

    /**
     * Queries each server once for its version. Returns the health of the first server that does not answer. If all
     * servers answer, returns the health of the slowest server. If a server is down, the result says so, and no
     * exception is thrown.
     *
     * <p>In mode pooled, the query borrows a connection, so the result also reports an exhausted pool as a failure.
     *
     * @param timeout maximum wait for the answer, more than zero and at most 24 days; in mode pooled, the wait for a
     *     connection is not included
     * @throws io.memshard.client.exception.MemcachedInterruptedException if the calling thread is interrupted
     */
    ServerHealth health(Duration timeout);

    /**
     * Refuses new commands, lets commands in flight complete, and then closes like {@link #close()}. Engine
     * spymemcached closes at once.
     *
     * @param drainTimeout maximum wait for commands in flight, zero to 24 days
     */
    void close(Duration drainTimeout);

    /**
     * Closes all connections, including connections in use, and stops their threads. Calls in flight fail. Closing
     * again does nothing.
     */
    @Override
    void close();
}
