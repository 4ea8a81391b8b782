// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.scale;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.options.ServerAddress;
import io.memshard.sharding.ring.Server;
import io.memshard.testkit.MemcachedProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A memcached that listens on many addresses of the loopback network. To a client each is a server, and none of them
 * takes memory of its process. What one stores, all have.
 *
 * <p>Threading: confined to one thread.
 */
final class Addresses implements AutoCloseable {

    /** The last byte of an address is 1 to so many. */
    private static final int IN_A_ROW = 250;

    private static final int IDLE_LOOKS = 10;
    private static final long IDLE_PAUSE_NANOS = 20_000_000;

    private final MemcachedProcess process;

    /** Connections that it has without clients: those on which it listens, and the one that asks. */
    private final long idle;

    /**
     * Starts it.
     *
     * @param count how many addresses, at least 1
     * @param mostSockets how many connections clients may have to all of them
     */
    Addresses(int count, int mostSockets) {
        // It listens on the first one anyway.
        String more = IntStream.range(1, count).mapToObj(Addresses::host).collect(Collectors.joining(","));
        String connections = String.valueOf(mostSockets + 1_024);
        process = count == 1
                ? MemcachedProcess.start("-c", connections)
                : MemcachedProcess.start("-c", connections, "-l", more);
        idle = idleConnections();
    }

    /**
     * Returns the number of connections that memcached counts without clients. It may not have seen yet that the probe
     * of its start has closed.
     */
    private long idleConnections() {
        long least = currConnections();
        for (int i = 0; i < IDLE_LOOKS; i++) {
            LockSupport.parkNanos(IDLE_PAUSE_NANOS);
            least = Math.min(least, currConnections());
        }
        return least;
    }

    private static String host(int index) {
        return "127.0." + index / IN_A_ROW + '.' + (index % IN_A_ROW + 1);
    }

    /** Returns the first {@code count} of them. */
    List<Server> first(int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> Server.of(new ServerAddress(host(index), process.port())))
                .toList();
    }

    /** Returns the number of connections that clients have to all of them. */
    long connections() {
        return currConnections() - idle;
    }

    private long currConnections() {
        try (Socket socket = new Socket(host(0), process.port());
                BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII))) {
            socket.getOutputStream().write("stats\r\n".getBytes(US_ASCII));
            String name = "STAT curr_connections ";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(name)) {
                    return Long.parseLong(line.substring(name.length()).strip());
                }
            }
            throw new IOException("no curr_connections");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot ask " + shown() + " for statistics: " + e.getMessage(), e);
        }
    }

    /** Returns the first of them, as {@code host:port}. */
    String shown() {
        return host(0) + ':' + process.port();
    }

    @Override
    public void close() {
        process.close();
    }
}
