// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.AdminClient;
import io.memshard.client.admin.ServerHealth;
import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.cluster.Cluster;
import io.memshard.sharding.cluster.MemshardOptions;
import io.memshard.sharding.ring.Server;
import java.time.Duration;
import java.util.List;

/**
 * Connections to one or many servers. Creates the clients that use these connections.
 *
 * <p>A connection is opened by its first command, by {@link MemshardBuilder#connectEagerly} or by {@link #awaitReady}.
 * To close the connections, close this object. Clients need not be closed.
 *
 * <p>Threading: thread-safe.
 */
public final class Memshard implements AutoCloseable {

    private static final ClientLog LOG = ClientLog.of(Memshard.class);

    private final MemshardOptions options;
    private final Cluster cluster;

    Memshard(MemshardOptions options) {
        this.options = options;
        cluster = new Cluster(options);
        int servers = options.servers.size();
        int sockets = options.socketsPerServer();
        LOG.info(
                "{} server{} x {} sockets{} = {} sockets to {}, opened {}",
                servers,
                servers == 1 ? "" : "s",
                sockets,
                options.hasSocketPairs()
                        ? " (" + options.connectionsPerServer + " for blocking calls of platform threads, "
                                + options.loopSockets + " for others)"
                        : "",
                servers * sockets,
                cluster,
                options.connectEagerly ? "now" : "when first used");
    }

    /**
     * Returns connections to these servers, with the default of each setting.
     *
     * @param servers the servers, such as {@code cache-1:11211, cache-2:11211}, in the format of {@link
     *     SettingsBuilder#servers}
     */
    public static Memshard connect(String servers) {
        return builder().servers(servers).build();
    }

    /** Returns a builder with the default of each setting. */
    public static MemshardBuilder builder() {
        return new MemshardBuilder();
    }

    CommandSender sender() {
        return cluster.any();
    }

    ServerAddress addressOf(String stored) {
        return cluster.serverOf(stored).address();
    }

    MemshardOptions options() {
        return options;
    }

    Cluster cluster() {
        return cluster;
    }

    /**
     * Returns the internal object that holds the connections, for other modules of this library.
     *
     * @param type the type of the result, which is internal
     * @throws ClassCastException if the result is not of this type
     */
    public <T> T unwrap(Class<T> type) {
        return type.cast(cluster);
    }

    void checkSameKeys(Memshard other, String name) {
        if (!options.keyPrefix.equals(other.options.keyPrefix) || options.hashKeys != other.options.hashKeys) {
            throw new IllegalArgumentException(name + " has keyPrefix=\"" + other.options.keyPrefix + "\" and"
                    + " hashKeys=" + other.options.hashKeys + ", but must have keyPrefix=\"" + options.keyPrefix
                    + "\" and hashKeys=" + options.hashKeys + ": set the same values in every builder");
        }
    }

    /** Returns a blocking client whose values are byte arrays. */
    public MemcachedClient<byte[]> client() {
        return client(Transcoder.bytes());
    }

    /** Returns a blocking client whose values {@code transcoder} converts to bytes. */
    public <V> MemcachedClient<V> client(Transcoder<V> transcoder) {
        return options.client(cluster.any(), transcoder, cluster::addressOf, cluster::callNanos);
    }

    /** Returns an asynchronous client whose values are byte arrays. */
    public AsyncMemcachedClient<byte[]> asyncClient() {
        return asyncClient(Transcoder.bytes());
    }

    /** Returns an asynchronous client whose values {@code transcoder} converts to bytes. */
    public <V> AsyncMemcachedClient<V> asyncClient(Transcoder<V> transcoder) {
        return client(transcoder).async();
    }

    /** Returns a client for the commands {@code stats}, {@code version}, {@code flush_all} and {@code verbosity}. */
    public AdminClient admin() {
        return Clients.admin(cluster.byServer(), options.requestTimeout);
    }

    /** Returns the current servers as an unmodifiable list. Some rings depend on the order of this list. */
    public List<Server> servers() {
        return cluster.topology().servers();
    }

    /**
     * Returns the current server of a key, whether or not the server is up.
     *
     * @param key the key as passed to a client, without the {@link MemshardBuilder#keyPrefix}
     */
    public Server serverOf(String key) {
        return cluster.serverOf(options.storedKey(key));
    }

    /**
     * Replaces the servers. The ring decides which keys move to other servers. A command does not fail because its
     * server is removed. The connections to a removed server are closed when their commands have completed. Connections
     * to a server whose name and address stay the same remain open. Connections to new servers are opened by their
     * first commands, or immediately with {@link MemshardBuilder#connectEagerly}.
     *
     * <p>Waits while more than 1,000 connections to removed servers are open, but for at most 5 seconds. An interrupt
     * or {@link #close()} ends the wait. On a thread of the client, such as in a function attached to a future, this
     * method does not wait. An existing admin client continues to use the previous servers.
     *
     * @throws IllegalArgumentException if the list is empty, two servers have the same address or name, a server has a
     *     zone, or the ring or a setting rejects a server. Nothing changes then
     */
    public void replace(List<Server> servers) {
        cluster.replace(servers);
    }

    /** Returns the states of the connections to each server, in the order of the servers. */
    public List<ConnectionState> connectionStates() {
        return cluster.states();
    }

    /**
     * Returns the status of each server in the order of the servers, and then of each
     * {@linkplain MemshardBuilder#gutter spare server}. A status says whether the client sends commands to the server,
     * since when, and why. Sends no command.
     */
    public List<ServerStatus> serverStatuses() {
        return cluster.statuses();
    }

    /**
     * Checks whether each server answers. Sends a {@code version} command to all servers at the same time. A failed
     * command is not sent again. If a server is down, no exception is thrown.
     *
     * @param timeout longest wait for the answers, more than zero and at most 24 days
     * @return the health of the first of the servers that is down; if all servers are up, the health of the slowest
     *     server
     * @throws io.memshard.client.exception.MemcachedInterruptedException if the calling thread is interrupted
     */
    public ServerHealth health(Duration timeout) {
        return ServerHealth.worst(healthByServer(timeout));
    }

    /** Returns the {@link #health} of each server, in the order of the servers. */
    public List<ServerHealth> healthByServer(Duration timeout) {
        return Clients.health(cluster.byServer(), timeout);
    }

    /**
     * Opens all connections, and waits until every socket of each connection is ready. The first commands then do not
     * wait for sockets, TLS or class loading. If this method fails, the connections that are not ready continue to
     * connect.
     *
     * @param timeout longest wait, more than zero and at most 24 days
     * @throws io.memshard.client.exception.MemcachedConnectionException if a connection is not ready in time; the
     *     message names each connection that is not ready, and the cause
     * @throws io.memshard.client.exception.MemcachedInterruptedException if the calling thread is interrupted
     */
    public void awaitReady(Duration timeout) {
        cluster.awaitReady(timeout);
    }

    /**
     * Rejects new commands, waits for the commands in flight, and then closes everything, like {@link #close()}. An
     * operation that still has commands to send, such as a large multi-get or a load, fails. On a thread of a client,
     * such as in a function attached to a future, this method does not wait.
     *
     * @param drainTimeout longest wait for commands in flight, zero to 24 days; an interrupt ends the wait
     */
    public void close(Duration drainTimeout) {
        cluster.close(drainTimeout);
    }

    /**
     * Closes every connection, fails the commands in flight, and ends every thread. Idempotent. Waits for the threads
     * to end, for at most about ten seconds. A thread in a listener, or in a function attached to a future, may end
     * later, when the listener or function returns. Called by a listener or by a function attached to a future, this
     * method does not wait.
     */
    @Override
    public void close() {
        cluster.close();
    }

    /** Returns the servers and the states of their connections. */
    @Override
    public String toString() {
        return "Memshard[" + cluster + ", connections " + connectionStates() + ']';
    }
}
