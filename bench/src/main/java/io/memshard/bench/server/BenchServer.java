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
 * Server of one measurement, or several: those that are named, or the one that the ladder of the testkit finds. A
 * server that was started for the measurement is stopped after it.
 *
 * <p>Threading: confined to the thread that runs the measurement. Failure: {@link BenchException} in
 * one sentence.
 */
public final class BenchServer implements AutoCloseable {

    private static final int MOST_SERVERS = 100;
    private static final int PINGS = 100;

    private final List<InetSocketAddress> addresses;

    // Kept, because a client that asks for the name of a host changes what the address says it is.
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

    /** Returns the server at {@code named}, which is {@code host:port}, or else the first that is found. */
    public static BenchServer find(@Nullable String named) {
        if (named != null) {
            return new BenchServer(List.of(parse(named)), "named by --server", List.of());
        }
        ServerLadder.Found found = climb();
        return new BenchServer(
                List.of(found.server().address()), found.report() + remark(found), List.of(found.server()));
    }

    /** Finds several servers: {@code named} is how many to start, or {@code host:port} of each with commas between. */
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

    /** Describes running servers at {@code addresses}. Facts given about them are not queried again. */
    public static BenchServer at(List<InetSocketAddress> addresses) {
        return new BenchServer(addresses, "given", List.of());
    }

    /** Returns where it listens; the first of several. */
    public InetSocketAddress address() {
        return addresses.get(0);
    }

    /** Returns where each listens, at least one. */
    public List<InetSocketAddress> addresses() {
        return addresses;
    }

    /** Returns {@code host:port}, with commas between several. */
    public String hostAndPort() {
        return hostAndPort;
    }

    /** Returns how it was found, in words. */
    public String source() {
        return source;
    }

    /** Returns the answer of the server to {@code version}, or that of the first server. */
    public String version() {
        return version;
    }

    /** Returns how it is set up, in the form of memcached's options; null if that is unknown. */
    public @Nullable String flags() {
        return settings.flags();
    }

    /** Returns the connections that it takes at the same time; empty if that is unknown. */
    public OptionalInt mostConnections() {
        return settings.mostConnections();
    }

    /** Returns the processes that serve, as far as this one started them; none of a server that is given. */
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

    /** Stops the server, if it was started for this measurement. */
    @Override
    public void close() {
        found.forEach(MemcachedServer::close);
    }
}
