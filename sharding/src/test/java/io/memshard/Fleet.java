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
import java.util.stream.IntStream;

/**
 * Servers by name, of which some come and go.
 *
 * <p>Threading: confined to one thread.
 */
final class Fleet implements AutoCloseable {

    private final Map<String, EmbeddedMemcached> running = new LinkedHashMap<>();
    private final Map<String, Integer> weights = new LinkedHashMap<>();

    private final List<EmbeddedMemcached> left = new ArrayList<>();
    private int started;

    /** Settings of a client that waits for longer than anything takes on a busy machine. */
    static MemshardBuilder patient() {
        return Memshard.builder().requestTimeout(Duration.ofSeconds(60)).connectTimeout(Duration.ofSeconds(60));
    }

    /** So many new servers. */
    static Fleet of(int servers) {
        Fleet fleet = new Fleet();
        for (int i = 0; i < servers; i++) {
            fleet.add();
        }
        return fleet;
    }

    /** A key of the server with this port. */
    static String keyOf(Memshard memshard, int port) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "key" + i)
                .filter(each -> memshard.serverOf(each).address().port() == port)
                .findFirst()
                .orElseThrow();
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

    private ServerAddress address(String name) {
        return new ServerAddress("127.0.0.1", running.get(name).port());
    }

    /** Adds a server, and returns its name. */
    String add() {
        String name = "cache-" + started++;
        running.put(name, EmbeddedMemcached.start());
        weights.put(name, 1);
        return name;
    }

    /** Removes a server, which goes on running. */
    void remove(String name) {
        weights.remove(name);
        leave(name);
    }

    private void leave(String name) {
        left.add(running.remove(name));
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
    void kill(String name) {
        running.get(name).close();
    }

    /** Closes the servers that have left, when nobody is connected to them any more. */
    void closeThoseThatLeft() {
        for (EmbeddedMemcached server : left) {
            eventually("nobody is connected to " + server + ", which left", () -> connections(server) == 0);
            server.close();
        }
        left.clear();
    }

    /** How many connections clients have to all servers that stay. */
    int connections() {
        return running.values().stream().mapToInt(Fleet::connections).sum();
    }

    /** How many connections a server has without the one that asks. */
    private static int connections(EmbeddedMemcached server) {
        try (Socket socket = new Socket(server.host(), server.port());
                BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII))) {
            socket.getOutputStream().write("stats\r\n".getBytes(US_ASCII));
            String line = lines.readLine();
            while (!line.startsWith("STAT curr_connections ")) {
                line = lines.readLine();
            }
            return Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1)) - 1;
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
