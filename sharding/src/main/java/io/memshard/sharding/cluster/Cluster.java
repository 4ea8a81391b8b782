// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.SendMode;
import io.memshard.sharding.discovery.Discovery;
import io.memshard.sharding.ring.Server;
import io.memshard.sharding.ring.ServerLocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Connections to all servers of a client, and the threads that serve these connections. Thread-safe. */
public final class Cluster implements AutoCloseable {

    private static final ClientLog LOG = ClientLog.of(Cluster.class);

    private final MemshardOptions options;
    private final ConnectionGroup group;
    private final CommandSender any;
    private final List<CommandSender> each;
    private final @Nullable Routes gutter;
    private final Object changes = new Object();

    // Written with the lock changes held. New routes are set before the removed servers reject commands.
    volatile Routes routes;

    public Cluster(MemshardOptions options) {
        this.options = options;
        Discovery discovery = options.discovery;
        try {
            group = new ConnectionGroup(options, options.ioThreads, options.listener);
        } catch (Throwable e) {
            closeDiscovery();
            throw e;
        }
        try {
            List<Server> spares = options.gutter;
            gutter = spares.isEmpty() ? null : routes(new Topology(1, spares), Map.of(), null);
            routes = routes(new Topology(1, options.servers), Map.of(), gutter);
        } catch (Throwable e) {
            close();
            throw e;
        }
        openIfEager();
        ServerDownPolicy serverDown = options.serverDown;
        any = new ClusterSender(this, ClusterSender.ANY, serverDown);
        each = IntStream.range(0, options.connectionsPerServer)
                .mapToObj(index -> (CommandSender) new ClusterSender(this, index, serverDown))
                .toList();
        if (discovery != null) {
            group.onFailure(discovery::refreshNow);
            if (options.listener != null) {
                discovery.announceTo(options.listener);
            }
            discovery.onChange(this::replace);
        }
    }

    private Routes routes(Topology topology, Map<ServerAddress, ServerConnections> existing, @Nullable Routes spares) {
        // A ring that cannot place the servers fails here, before any connection is created.
        ServerLocator locator = options.ring.locator(topology.servers());
        topology.servers().forEach(server -> options.check(server.address(), options.transport));
        List<ServerConnections> servers = new ArrayList<>();
        for (Server server : topology.servers()) {
            ServerConnections connections = existing.get(server.address());
            servers.add(connections == null ? new ServerConnections(server.address(), group, options) : connections);
        }
        boolean hasPlace = servers.size() > 1 || !options.gutter.isEmpty();
        servers.forEach(server -> server.eject(options.ejection, hasPlace));
        return new Routes(topology, servers, locator, spares);
    }

    private void openIfEager() {
        if (options.connectEagerly) {
            group.open();
        }
    }

    public MemshardOptions options() {
        return options;
    }

    public List<ServerStatus> statuses() {
        Routes now = routes;
        return Stream.concat(now.servers().stream(), gutter == null ? Stream.of() : gutter.servers().stream())
                .map(ServerConnections::status)
                .toList();
    }

    public Topology topology() {
        return routes.topology();
    }

    public Server serverOf(String key) {
        return routes.serverOf(key);
    }

    public @Nullable ServerAddress addressOf(@Nullable String key) {
        Routes now = routes;
        ServerConnections only = now.only();
        if (only != null) {
            return only.address();
        }
        return key == null ? null : now.of(key).address();
    }

    public Topology replace(List<Server> servers) {
        Topology.checkNoZones(servers);
        synchronized (changes) {
            Routes before = routes;
            Topology topology = new Topology(before.topology().version() + 1, servers);
            if (topology.servers().equals(before.topology().servers())) {
                return before.topology();
            }
            Map<ServerAddress, ServerConnections> existing = byAddress(before);
            options.checkServers(topology.servers());
            Routes now = routes(topology, existing, gutter);
            routes = now;
            openIfEager();
            Map<ServerAddress, ServerConnections> removed = new LinkedHashMap<>(existing);
            now.servers().forEach(server -> removed.remove(server.address()));
            removed.values().forEach(server -> server.retire(options.drainTimeout()));
            LOG.info(
                    "the client now uses {} servers: {}; the earlier servers: {}",
                    servers.size(),
                    topology.shownServers(),
                    before.topology().shownServers());
            return topology;
        }
    }

    private static Map<ServerAddress, ServerConnections> byAddress(Routes routes) {
        Map<ServerAddress, ServerConnections> byAddress = new LinkedHashMap<>();
        routes.servers().forEach(server -> byAddress.put(server.address(), server));
        return byAddress;
    }

    public long callNanos(long timeoutNanos) {
        return group.callNanos(timeoutNanos);
    }

    public CommandSender any() {
        return any;
    }

    public List<CommandSender> each() {
        return each;
    }

    public Map<ServerAddress, ? extends CommandSender> byServer() {
        return byAddress(routes);
    }

    public int choose() {
        return routes.first(SendMode.AWAITED).choose();
    }

    public boolean isReady(int index) {
        for (ServerConnections server : routes.servers()) {
            if (server.each().get(index).isReady(SendMode.AWAITED)) {
                return true;
            }
        }
        return false;
    }

    public List<ConnectionState> states() {
        return routes.servers().stream()
                .flatMap(server -> server.each().stream())
                .map(ServerConnections::state)
                .toList();
    }

    public void awaitReady(Duration timeout) {
        group.awaitReady(timeout);
    }

    public void close(Duration drainTimeout) {
        closeDiscovery();
        group.close(drainTimeout);
    }

    @Override
    public void close() {
        closeDiscovery();
        group.close();
    }

    private void closeDiscovery() {
        Discovery discovery = options.discovery;
        if (discovery != null) {
            discovery.close();
        }
    }

    @Override
    public String toString() {
        return topology().shownServers();
    }
}
