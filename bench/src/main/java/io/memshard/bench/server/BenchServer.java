// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.result.Environment;
import io.memshard.bench.server.PlainSocket.ServerSettings;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.ServerLadder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One or more servers of a measurement: the servers that the user names, or a server that {@link ServerLadder} finds. A
 * server that was started for the measurement is stopped after it.
 *
 * <p>Threading: confined to the thread that runs the measurement. Failure: {@link BenchException} in
 * one sentence.
 */
public final class BenchServer implements AutoCloseable {

    private static final int MOST_SERVERS = 100;
    private static final int PINGS = 100;

    private final List<InetSocketAddress> addresses;

    // A text, because an InetSocketAddress returns another host string once a client has asked for the host name.
    private final String hostAndPort;

    private final String source;
    private final List<MemcachedServer> found;
    private final String version;
    private final ServerSettings settings;

    private BenchServer(List<InetSocketAddress> addresses, String source, List<MemcachedServer> found) {
        this.addresses = List.copyOf(addresses);
        this.hostAndPort = addresses.stream().map(BenchServer::text).collect(Collectors.joining(","));
        this.source = source;
        this.found = List.copyOf(found);
        String firstVersion = "";
        ServerSettings firstSettings = null;
        for (InetSocketAddress address : addresses) {
            try (PlainSocket socket = new PlainSocket(address)) {
                String answered = socket.version();
                if (firstSettings == null) {
                    firstVersion = answered;
                    firstSettings = ServerSettings.of(socket);
                }
            } catch (IOException e) {
                close();
                throw new BenchException("no memcached at " + text(address) + ": " + e.getMessage(), e);
            }
        }
        if (firstSettings == null) {
            throw new BenchException("no server is named");
        }
        this.version = firstVersion;
        this.settings = firstSettings;
    }

    private static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    /**
     * Returns the server at {@code named}, which is {@code host:port}; if it is null, returns the first server that is
     * found.
     */
    public static BenchServer find(@Nullable String named) {
        if (named != null) {
            return new BenchServer(List.of(parse(named)), "named by --server", List.of());
        }
        ServerLadder.Found found = climb();
        return new BenchServer(
                List.of(found.server().address()), found.report() + remark(found), List.of(found.server()));
    }

    /**
     * Finds several servers. {@code named} is the number of servers to start, or {@code host:port} of each, with commas
     * between them.
     */
    public static BenchServer findSeveral(String named) {
        if (!named.strip().matches("\\d{1,4}")) {
            List<InetSocketAddress> addresses = new ArrayList<>();
            for (String address : named.split(",", -1)) {
                addresses.add(parse(address.strip()));
            }
            return new BenchServer(addresses, "named by --servers", List.of());
        }
        int count = Integer.parseInt(named.strip());
        if (count < 1 || count > MOST_SERVERS) {
            throw new BenchException("--servers must be from 1 to " + MOST_SERVERS
                    + ", or addresses as in a:11211,b:11211, not " + named);
        }
        return start(count);
    }

    private static BenchServer start(int count) {
        List<MemcachedServer> started = new ArrayList<>();
        List<InetSocketAddress> addresses = new ArrayList<>();
        String report = "";
        try {
            for (int i = 0; i < count; i++) {
                ServerLadder.Found found = climb();
                started.add(found.server());
                if (addresses.contains(found.server().address())) {
                    throw new BenchException(text(found.server().address()) + " is given and cannot be started " + count
                            + " times: name all by --servers");
                }
                addresses.add(found.server().address());
                report = i == 0 ? count + " servers, the first: " + found.report() + remark(found) : report;
            }
            return new BenchServer(addresses, report, started);
        } catch (BenchException e) {
            started.forEach(MemcachedServer::close);
            throw e;
        }
    }

    private static ServerLadder.Found climb() {
        try {
            return ServerLadder.find();
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
    }

    private static String remark(ServerLadder.Found found) {
        return found.rung() == ServerLadder.Rung.EMBEDDED ? "; " + Environment.NO_MEMCACHED : "";
    }

    private static InetSocketAddress parse(String address) {
        int colon = address.lastIndexOf(':');
        try {
            int port = colon < 1 ? -1 : Integer.parseInt(address.substring(colon + 1));
            InetSocketAddress parsed = new InetSocketAddress(colon < 1 ? "" : address.substring(0, colon), port);
            if (parsed.isUnresolved()) {
                throw new BenchException("no memcached at " + address + ": unknown host");
            }
            return parsed;
        } catch (IllegalArgumentException e) {
            throw new BenchException("\"" + address + "\" is not an address of the form host:port");
        }
    }

    /** Returns the running servers at {@code addresses}, which {@link #close} does not stop. */
    public static BenchServer at(List<InetSocketAddress> addresses) {
        return new BenchServer(addresses, "given", List.of());
    }

    /** Returns the address of the server; of several, that of the first. */
    public InetSocketAddress address() {
        return addresses.get(0);
    }

    /** Returns the address of each server, at least one. */
    public List<InetSocketAddress> addresses() {
        return addresses;
    }

    /** Returns {@code host:port} of each server, with commas between them. */
    public String hostAndPort() {
        return hostAndPort;
    }

    /** Returns a description of how the server was found. */
    public String source() {
        return source;
    }

    /** Returns the answer to {@code version} of the server; of several, that of the first. */
    public String version() {
        return version;
    }

    /** Returns the settings of the first server, in the form of memcached's options; null if unknown. */
    public @Nullable String flags() {
        return settings.flags();
    }

    /** Returns the maximum number of connections of the first server at the same time; empty if unknown. */
    public OptionalInt mostConnections() {
        return settings.mostConnections();
    }

    /** Returns the ids of the servers' processes; none unless this process started all servers. */
    public List<Long> pids() {
        List<Long> pids = new ArrayList<>();
        for (MemcachedServer server : found) {
            if (server instanceof MemcachedProcess process) {
                pids.add(process.pid());
            } else if (server instanceof EmbeddedMemcached) {
                pids.add(ProcessHandle.current().pid());
            }
        }
        return pids.size() == addresses.size() ? pids.stream().distinct().toList() : List.of();
    }

    /**
     * Returns the median time of the answer to {@code version} on a connection that does nothing else, in microseconds.
     */
    public double roundTripMicros() {
        double[] micros = new double[PINGS];
        try (PlainSocket socket = new PlainSocket(address())) {
            for (int i = -PINGS; i < PINGS; i++) {
                long start = System.nanoTime();
                socket.version();
                micros[Math.max(0, i)] = (System.nanoTime() - start) / 1e3;
            }
        } catch (IOException e) {
            throw new BenchException("no memcached at " + text(address()) + ": " + e.getMessage(), e);
        }
        Arrays.sort(micros);
        return micros[PINGS / 2];
    }

    /** Stops the servers that were started for this measurement. */
    @Override
    public void close() {
        found.forEach(MemcachedServer::close);
    }
}
