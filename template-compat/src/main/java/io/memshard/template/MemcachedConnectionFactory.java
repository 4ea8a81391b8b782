// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.Memshard;
import io.memshard.client.admin.ServerHealth;
import java.time.Duration;
import java.util.Objects;

/**
 * Opens connections to a memcached server, owns them, and hands them out.
 *
 * <p>Built once per application: in Spring as a {@code @Bean}, closed with the context.
 *
 * <p>Threading: thread-safe. {@link #getConnection()} takes no lock and allocates nothing in the modes single and
 * sharded. In mode pooled it may wait until another caller returns a connection.
 */
public interface MemcachedConnectionFactory extends AutoCloseable {

    /** A builder with the defaults: engine memshard, mode sharded, 2 connections. */
    static MemcachedConnectionFactoryBuilder builder() {
        return new MemcachedConnectionFactoryBuilder();
    }

    /**
     * A factory that shares the connections of {@code memshard}, so that templates and clients need no two sets. It
     * follows a change of the servers. Mode sharded, or single if a server has one connection.
     *
     * <p>Closing it does nothing: {@code memshard} owns the connections.
     */
    static MemcachedConnectionFactory over(Memshard memshard) {
        Objects.requireNonNull(memshard, "memshard is null");
        Mode mode = memshard.options().connectionsPerServer() == 1 ? Mode.SINGLE : Mode.SHARDED;
        return new SharedConnectionFactory(
                Engine.MEMSHARD, mode, memshard.options(), MemshardConnections.sharing(memshard));
    }

    /**
     * A handle pinned to one connection: a borrowed one, the only one, or the one the chooser picks now.
     *
     * <p>In mode pooled each call borrows another connection, which the pool lacks until its handle is closed. There
     * {@code getConnection().get(key, serializer)} in one expression loses a connection at each call, so use
     * try-with-resources. In the other modes closing does nothing, and a handle can be kept and shared.
     *
     * @throws io.memshard.client.exception.MemcachedOverloadException if the pool stayed exhausted for its wait limit
     * @throws io.memshard.client.exception.MemcachedConnectionException if the pool cannot open a connection, or is
     *     closed; in the other modes the first command on the handle throws it
     */
    MemcachedConnection getConnection();

    /** The library of the connections. */
    Engine engine();

    /** How connections are shared. */
    Mode mode();

    /**
     * Opens all connections, and waits until each is ready. Engine spymemcached has opened them already.
     *
     * @param timeout how long to wait at most, more than zero and at most 24 days
     * @throws io.memshard.client.exception.MemcachedConnectionException if a connection is not ready in time; the
     *     message names each such connection, and why
     */
    void awaitReady(Duration timeout);

    /**
     * Whether the server answers: asks it for its version over one of the connections, without a second attempt. Fit
     * for a health check, because a server that is down is a result and not an exception.
     *
     * <p>Mode pooled borrows a connection for it, so a pool that stays exhausted is a failure too.
     *
     * @param timeout how long to wait for the answer at most, more than zero and at most 24 days; in mode pooled the
     *     wait for a connection comes before it
     * @throws io.memshard.client.exception.MemcachedInterruptedException if the calling thread is interrupted
     */
    ServerHealth health(Duration timeout);

    /**
     * Refuses new commands, lets those in flight end, and then closes as {@link #close()} does. Engine spymemcached
     * closes at once.
     *
     * @param drainTimeout how long to wait for commands in flight at most, zero to 24 days
     */
    void close(Duration drainTimeout);

    /**
     * Closes every connection, those in use as well, and ends their threads; calls in flight fail.
     * Closing again does nothing.
     */
    @Override
    void close();
}
