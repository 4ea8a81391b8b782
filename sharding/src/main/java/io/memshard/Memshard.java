// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.Clients;
import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.AdminClient;
import io.memshard.client.admin.AsyncAdminClient;
import io.memshard.client.admin.ServerHealth;
import io.memshard.client.connection.CommandSender;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.MemshardOptions;
import io.memshard.sharding.ServerConnections;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's sharded connections, and the clients over them.
 *
 * <p>Owns the connections and their threads; the clients that it hands out are views that need no closing. Opens
 * nothing until the first command, unless it is told to connect eagerly or to be ready.
 *
 * <p>Threading: thread-safe.
 */
public final class Memshard implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Memshard.class);

    private final MemshardOptions options;
    private final ServerConnections connections;

    Memshard(MemshardOptions options) {
        this.options = options;
        connections = new ServerConnections(options);
        LOG.info(
                "1 server x {} connections to {}, opened {}",
                options.connectionsPerServer(),
                options.server(),
                options.connectsEagerly() ? "now" : "when first used");
    }

    /** Settings with their defaults. */
    public static MemshardBuilder builder() {
        return new MemshardBuilder();
    }

    /** A blocking client of byte arrays. */
    public MemcachedClient<byte[]> client() {
        return client(Transcoder.bytes());
    }

    /** A blocking client whose values {@code transcoder} turns into bytes. */
    public <V> MemcachedClient<V> client(Transcoder<V> transcoder) {
        return options.client(connections.any(), transcoder);
    }

    /** An asynchronous client of byte arrays. */
    public AsyncMemcachedClient<byte[]> asyncClient() {
        return asyncClient(Transcoder.bytes());
    }

    /** An asynchronous client whose values {@code transcoder} turns into bytes. */
    public <V> AsyncMemcachedClient<V> asyncClient(Transcoder<V> transcoder) {
        return options.asyncClient(connections.any(), transcoder);
    }

    /** What an operator asks of the server: statistics, version, flush_all, verbosity. */
    public AdminClient admin() {
        return Clients.admin(senders(), options.requestTimeout());
    }

    /** As {@link #admin}, for asynchronous callers. */
    public AsyncAdminClient asyncAdmin() {
        return Clients.asyncAdmin(senders(), options.requestTimeout());
    }

    private Map<ServerAddress, CommandSender> senders() {
        return Map.of(connections.server(), connections.any());
    }

    /** The state of each connection, by its index. */
    public List<ConnectionState> connectionStates() {
        return connections.states();
    }

    /**
     * Whether the server answers: asks it for its version over one of the connections, without a second attempt. Fit
     * for a health check, because a server that is down is a result and not an exception.
     *
     * @param timeout how long to wait for the answer at most, more than zero and at most 24 days
     * @throws io.memshard.client.exception.MemcachedInterruptedException if the calling thread is interrupted
     */
    public ServerHealth health(Duration timeout) {
        MemcachedClient<byte[]> asking =
                client().withFailurePolicy(FailurePolicy.FAIL_FAST).withTimeout(timeout);
        return ServerHealth.of(options.server(), asking::version);
    }

    /**
     * Opens all connections, and waits until each is ready for every kind of caller. So the first commands need not
     * wait for sockets, TLS or class loading. Connections that are not ready go on trying.
     *
     * @param timeout how long to wait at most, more than zero and at most 24 days
     * @throws io.memshard.client.exception.MemcachedConnectionException if a connection is not ready in time; the
     *     message names each such connection, and why
     * @throws io.memshard.client.exception.MemcachedInterruptedException if the calling thread is interrupted
     */
    public void awaitReady(Duration timeout) {
        connections.awaitReady(timeout);
    }

    /**
     * Refuses new commands, lets those in flight end, and then closes as {@link #close()} does. An operation that sends
     * further commands, such as a large multi-get or a load, fails with these.
     *
     * <p>On a thread of a client, as in a stage that depends on a future, it waits for nothing.
     *
     * @param drainTimeout how long to wait for commands in flight at most, zero to 24 days; an interrupt ends the wait
     */
    public void close(Duration drainTimeout) {
        connections.close(drainTimeout);
    }

    /**
     * Closes every connection, fails what is in flight, and ends every thread. Idempotent.
     *
     * <p>What is in flight fails at once. Then this waits for the threads, about ten seconds at most. A stage that
     * depends on a future, or a listener, may hold up a thread longer: that thread ends when the stage or listener
     * returns. Stages and listeners may call this too. On a thread of a client it waits for no thread, and the threads
     * end after it has returned.
     */
    @Override
    public void close() {
        connections.close();
    }

    /** The server and the states of its connections. */
    @Override
    public String toString() {
        return "Memshard[" + options.server() + ", connections " + connectionStates() + ']';
    }
}
