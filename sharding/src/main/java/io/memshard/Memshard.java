// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.AdminClient;
import io.memshard.client.admin.AsyncAdminClient;
import io.memshard.client.admin.ServerHealth;
import io.memshard.client.connection.CommandSender;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.MemshardOptions;
import io.memshard.sharding.Topology;
import io.memshard.sharding.TopologyListener;
import io.memshard.sharding.cluster.Cluster;
import io.memshard.sharding.cluster.ClusterClients;
import io.memshard.sharding.ring.Server;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sharded connections to one or many servers, and the clients over them.
 *
 * <p>Owns the connections and their threads; the clients that it hands out are views that need no closing. Opens
 * nothing until the first command, unless it is told to connect eagerly or to be ready.
 *
 * <p>Threading: thread-safe.
 */
public final class Memshard implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Memshard.class);

    private final MemshardOptions options;
    private final Cluster cluster;

    Memshard(MemshardOptions options) {
        this.options = options;
        cluster = new Cluster(options);
        int servers = options.servers().size();
        int sockets = options.socketsPerConnection();
        LOG.info(
                "{} server{} x {} connections x {} socket{} = {} sockets to {}, opened {}",
                servers,
                servers == 1 ? "" : "s",
                options.connectionsPerServer(),
                sockets,
                sockets == 1 ? "" : "s",
                servers * options.connectionsPerServer() * sockets,
                cluster,
                options.connectsEagerly() ? "now" : "when first used");
    }

    /** Settings with their defaults. */
    public static MemshardBuilder builder() {
        return new MemshardBuilder();
    }

    /** What takes the commands for the servers. */
    CommandSender sender() {
        return cluster.any();
    }

    /** The address of the server that has a key, as it is stored, now. */
    ServerAddress addressOf(String stored) {
        return cluster.serverOf(stored).address();
    }

    /** The settings that this was made with. {@link #topology} has the servers of now. */
    public MemshardOptions options() {
        return options;
    }

    /** The servers and their connections, which the template shares. */
    @SuppressWarnings("exports") // For the template, which sees it.
    public Cluster cluster() {
        return cluster;
    }

    /** Refuses another one that has the same items under other keys. */
    void checkSameKeys(Memshard other, String name) {
        if (!options.keyPrefix().equals(other.options.keyPrefix())
                || options.hashesKeys() != other.options.hashesKeys()) {
            throw new IllegalArgumentException(name + " has keyPrefix=" + other.options.keyPrefix() + ", hashKeys="
                    + other.options.hashesKeys() + ", and the other has keyPrefix=" + options.keyPrefix()
                    + ", hashKeys=" + options.hashesKeys() + ": give both the same");
        }
    }

    private ClusterClients clients() {
        return new ClusterClients(options, cluster.any(), cluster::addressOf);
    }

    /** A blocking client of byte arrays. */
    public MemcachedClient<byte[]> client() {
        return client(Transcoder.bytes());
    }

    /** A blocking client whose values {@code transcoder} turns into bytes. */
    public <V> MemcachedClient<V> client(Transcoder<V> transcoder) {
        return clients().blocking(transcoder);
    }

    /** An asynchronous client of byte arrays. */
    public AsyncMemcachedClient<byte[]> asyncClient() {
        return asyncClient(Transcoder.bytes());
    }

    /** An asynchronous client whose values {@code transcoder} turns into bytes. */
    public <V> AsyncMemcachedClient<V> asyncClient(Transcoder<V> transcoder) {
        return clients().async(transcoder);
    }

    /** What an operator asks of each server: statistics, version, flush_all, verbosity. */
    public AdminClient admin() {
        return Clients.admin(cluster.byServer(), options.requestTimeout());
    }

    /** As {@link #admin}, for asynchronous callers. */
    public AsyncAdminClient asyncAdmin() {
        return Clients.asyncAdmin(cluster.byServer(), options.requestTimeout());
    }

    /** The servers now, and how often they changed. */
    public Topology topology() {
        return cluster.topology();
    }

    /**
     * The server that the clients of this ask for a key now, whether or not it is up.
     *
     * @param key as a client is given it: the prefix of the settings is put before it
     */
    public Server serverOf(String key) {
        return cluster.serverOf(options.storedKey(key));
    }

    /** Notifies a listener of each change of the servers from now on; {@link TopologyListener} says on which thread. */
    public void addTopologyListener(TopologyListener listener) {
        cluster.addListener(Objects.requireNonNull(listener, "listener is null"));
    }

    /**
     * Lets other servers take the place of those there are. Only the keys move that the ring moves. No command fails
     * because of this: what is in flight ends where it was sent, and the connections to servers that left are then
     * closed. Those to an address that stays are kept; new ones are opened when first used.
     *
     * <p>Waits for up to 5 seconds while more than 1,000 connections to servers that left are not closed yet. An
     * interrupt or {@link #close()} ends the wait. A thread of the client, which runs stages of futures, does not wait.
     *
     * <p>The admin clients that were made before go on asking the servers of their time.
     *
     * @return the topology, which is the one before if nothing changes
     * @throws IllegalArgumentException if there are no servers, if two have the same address or name, or if one has a
     *     zone. Also if the ring or a setting does not fit them. Then nothing changes
     */
    public Topology replace(List<Server> servers) {
        return cluster.replace(servers);
    }

    /** The state of each connection: server by server in the order of the topology, and there by its index. */
    public List<ConnectionState> connectionStates() {
        return cluster.states();
    }

    /**
     * Whether commands go to each server, since when, and why not: the servers in the order of the topology, then those
     * of the gutter. Asks no server. A client's only server is always {@code UP} here.
     */
    public List<ServerStatus> serverStatuses() {
        return cluster.statuses();
    }

    /**
     * Whether the server answers: asks it for its version over one of the connections, without a second attempt. Fit
     * for a health check, because a server that is down is a result and not an exception.
     *
     * <p>Of several servers, all asked at once, it is the first that is down; if all are up, the one that took longest.
     *
     * @param timeout how long to wait for the answers at most, more than zero and at most 24 days
     * @throws io.memshard.client.exception.MemcachedInterruptedException if the calling thread is interrupted
     */
    public ServerHealth health(Duration timeout) {
        return ServerHealth.worst(healthByServer(timeout));
    }

    /** As {@link #health}: the health of each server, in the order of the topology. */
    public List<ServerHealth> healthByServer(Duration timeout) {
        long deadline = System.nanoTime()
                + ConnectionOptions.checkTimeout("timeout", timeout).toNanos();
        long asked = cluster.topology().version();
        List<ServerHealth> healths = Clients.health(cluster.byServer(), timeout);
        while (cluster.topology().version() != asked && !healths.stream().allMatch(ServerHealth::isUp)) {
            // A server that left may have refused the question.
            Duration left = Duration.ofNanos(deadline - System.nanoTime());
            if (left.isNegative() || left.isZero()) {
                break;
            }
            asked = cluster.topology().version();
            healths = Clients.health(cluster.byServer(), left);
        }
        return healths;
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
        cluster.awaitReady(timeout);
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
        cluster.close(drainTimeout);
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
        cluster.close();
    }

    /** The servers and the states of its connections. */
    @Override
    public String toString() {
        return "Memshard[" + cluster + ", connections " + connectionStates() + ']';
    }
}
