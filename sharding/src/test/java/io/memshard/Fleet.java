// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.options.ServerAddress;
import io.memshard.sharding.ring.Server;
import io.memshard.testkit.EmbeddedMemcached;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Servers by name, of which some come and go.
 *
 * <p>Threading: confined to one thread.
 */
final class Fleet implements AutoCloseable {

    private final Map<String, EmbeddedMemcached> running = new LinkedHashMap<>();
    private final Map<String, Integer> weights = new LinkedHashMap<>();

    /** Ports of servers that were killed. */
    private final Map<String, Integer> killed = new LinkedHashMap<>();

    private final List<EmbeddedMemcached> left = new ArrayList<>();
    private int started;

    /** So many new servers. */
    static Fleet of(int servers) {
        Fleet fleet = new Fleet();
        for (int i = 0; i < servers; i++) {
            fleet.add();
        }
        return fleet;
    }

    /** The servers as a client takes them. */
    List<Server> servers() {
        List<Server> servers = new ArrayList<>();
        weights.forEach((name, weight) -> servers.add(new Server(name, address(name), null, weight, null)));
        return servers;
    }

    List<String> names() {
        return List.copyOf(weights.keySet());
    }

    ServerAddress address(String name) {
        EmbeddedMemcached server = running.get(name);
        return new ServerAddress("127.0.0.1", server == null ? killed.get(name) : server.port());
    }

    /** Adds a server, and returns its name. */
    String add() {
        String name = "cache-" + started++;
        running.put(name, EmbeddedMemcached.start());
        weights.put(name, 1);
        return name;
    }

    /** Removes a server, which goes on running unless it was killed. */
    void remove(String name) {
        weights.remove(name);
        leave(name);
    }

    private void leave(String name) {
        EmbeddedMemcached server = running.remove(name);
        if (server != null) {
            left.add(server);
        }
        killed.remove(name);
    }

    /** Moves a server to another port, where it is empty. */
    void readdress(String name) {
        leave(name);
        running.put(name, EmbeddedMemcached.start());
    }

    void setWeight(String name, int weight) {
        weights.put(name, weight);
    }

    /** Takes a server back that has left and still runs; returns whether there is one. */
    boolean takeBack() {
        if (left.isEmpty()) {
            return false;
        }
        String name = "cache-" + started++;
        running.put(name, left.remove(left.size() - 1));
        weights.put(name, 1);
        return true;
    }

    /** Closes a server and all its connections. */
    ServerAddress kill(String name) {
        ServerAddress address = address(name);
        EmbeddedMemcached server = running.remove(name);
        if (server != null) {
            killed.put(name, address.port());
            server.close();
        }
        return address;
    }

    /** Starts each killed server again, empty, on its port. */
    void revive() {
        Map.copyOf(killed).forEach((name, port) -> {
            eventually("port " + port + " is free", () -> startedOn(name, port));
            killed.remove(name);
        });
    }

    private boolean startedOn(String name, int port) {
        try {
            running.put(name, EmbeddedMemcached.builder().port(port).start());
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** Closes the servers that have left, after a while in which nobody must be connected to them. */
    void closeThoseThatLeft() {
        Map<EmbeddedMemcached, Integer> total = new LinkedHashMap<>();
        for (EmbeddedMemcached server : left) {
            eventually(
                    "nobody is connected to " + server + ", which left",
                    Duration.ofSeconds(60),
                    () -> connections(server) == 0);
            total.put(server, statistic(server, "total_connections"));
        }
        total.forEach((server, before) -> {
            // The one more is that which asks.
            if (statistic(server, "total_connections") != before + 1) {
                throw new AssertionError("connected again to " + server + ", which left");
            }
            server.close();
        });
        left.clear();
    }

    /** How many connections clients have to all servers that stay. */
    int connections() {
        return running.values().stream().mapToInt(Fleet::connections).sum();
    }

    /** How many connections a server has without the one that asks. */
    private static int connections(EmbeddedMemcached server) {
        return statistic(server, "curr_connections") - 1;
    }

    private static int statistic(EmbeddedMemcached server, String name) {
        try (Socket socket = new Socket(server.host(), server.port());
                BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII))) {
            socket.getOutputStream().write("stats\r\n".getBytes(US_ASCII));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("STAT " + name + ' ')) {
                    return Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
                }
            }
            throw new AssertionError("no " + name + " of " + server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        running.values().forEach(EmbeddedMemcached::close);
        left.forEach(EmbeddedMemcached::close);
    }
}
