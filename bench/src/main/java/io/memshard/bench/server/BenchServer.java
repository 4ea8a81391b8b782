// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import io.memshard.bench.result.BenchException;
import io.memshard.bench.result.Environment;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.ServerLadder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Server of a measurement: the server that the user names, or a server that {@link ServerLadder} finds. {@link #close}
 * stops a server that was started for the measurement.
 *
 * @param hostAndPort {@code host:port} of the server, kept as text, because the host string of an InetSocketAddress may
 *     change when a client queries the host name
 * @param started server that was started for the measurement; null if the user names the server
 */
public record BenchServer(
        InetSocketAddress address,
        String hostAndPort,
        String source,
        @Nullable MemcachedServer started) implements AutoCloseable {

    private static final int PINGS = 100;

    private static BenchServer of(InetSocketAddress address, String source, @Nullable MemcachedServer started) {
        String hostAndPort = address.getHostString() + ":" + address.getPort();
        try (PlainSocket socket = new PlainSocket(address, PlainSocket.TIMEOUT_MILLIS)) {
            socket.version(); // Throws an exception if the server is not memcached.
            return new BenchServer(address, hostAndPort, source, started);
        } catch (IOException e) {
            if (started != null) {
                started.close();
            }
            throw new BenchException("no memcached at " + hostAndPort + ": " + e.getMessage(), e);
        }
    }

    /** Returns the server at {@code named} ({@code host:port}), or finds a server if {@code named} is null. */
    public static BenchServer find(@Nullable String named) {
        if (named != null) {
            return of(parse(named), "named by --server", null);
        }
        try {
            ServerLadder.Found found = ServerLadder.find();
            String remark = found.rung() == ServerLadder.Rung.EMBEDDED ? "; " + Environment.NO_MEMCACHED : "";
            return of(found.server().address(), found.report() + remark, found.server());
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
    }

    public static InetSocketAddress parse(String address) {
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

    /** Returns the id of the server's process, or 0 if this process did not start the server. */
    public long pid() {
        if (started instanceof MemcachedProcess process) {
            return process.pid();
        }
        return started instanceof EmbeddedMemcached ? ProcessHandle.current().pid() : 0;
    }

    /** Returns the median time of the answer to {@code version} on an otherwise unused connection, in microseconds. */
    public double roundTripMicros() {
        double[] micros = new double[PINGS];
        try (PlainSocket socket = new PlainSocket(address, PlainSocket.TIMEOUT_MILLIS)) {
            for (int i = -PINGS; i < PINGS; i++) {
                long start = System.nanoTime();
                socket.version();
                micros[Math.max(0, i)] = (System.nanoTime() - start) / 1e3;
            }
        } catch (IOException e) {
            throw new BenchException("no memcached at " + hostAndPort + ": " + e.getMessage(), e);
        }
        Arrays.sort(micros);
        return micros[PINGS / 2];
    }

    @Override
    public void close() {
        if (started != null) {
            started.close();
        }
    }
}
