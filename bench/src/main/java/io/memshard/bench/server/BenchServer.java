// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.ServerLadder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The server of one measurement: the one that was named, or the one that the ladder of the testkit finds. A server that
 * was started for the measurement is stopped after it.
 *
 * <p>Threading: confined to the thread that runs the measurement. Failure: {@link ServerException} in
 * one sentence.
 */
public final class BenchServer implements AutoCloseable {

    private final InetSocketAddress address;

    // Kept, because a client that asks for the name of a host changes what the address says it is.
    private final String hostAndPort;

    private final String source;
    private final @Nullable MemcachedServer found;
    private final String version;
    private final ServerSettings settings;

    private BenchServer(InetSocketAddress address, String source, @Nullable MemcachedServer found) {
        this.address = address;
        this.hostAndPort = address.getHostString() + ":" + address.getPort();
        this.source = source;
        this.found = found;
        try (PlainSocket socket = new PlainSocket(address)) {
            this.version = socket.version();
            this.settings = ServerSettings.of(socket);
        } catch (IOException e) {
            close();
            throw new ServerException("no memcached at " + hostAndPort + ": " + e.getMessage(), e);
        }
    }

    /**
     * The server at {@code named}, or else the first that is found.
     *
     * @param named {@code host:port}, or null to look for one
     */
    public static BenchServer find(@Nullable String named) {
        if (named != null) {
            return new BenchServer(parse(named), "named by --server", null);
        }
        ServerLadder.Found found;
        try {
            found = ServerLadder.find();
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw new ServerException(String.valueOf(e.getMessage()), e);
        }
        String remark = found.rung() == ServerLadder.Rung.EMBEDDED
                ? "; it runs in this process, so the CPU time of the client includes the server's"
                : "";
        return new BenchServer(found.server().address(), found.report() + remark, found.server());
    }

    private static InetSocketAddress parse(String address) {
        int colon = address.lastIndexOf(':');
        try {
            int port = colon < 1 ? -1 : Integer.parseInt(address.substring(colon + 1));
            InetSocketAddress parsed = new InetSocketAddress(colon < 1 ? "" : address.substring(0, colon), port);
            if (parsed.isUnresolved()) {
                throw new ServerException("no memcached at " + address + ": unknown host");
            }
            return parsed;
        } catch (IllegalArgumentException e) {
            throw new ServerException("\"" + address + "\" is not an address of the form host:port");
        }
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return address;
    }

    /** {@code host:port}. */
    public String hostAndPort() {
        return hostAndPort;
    }

    /** How it was found, for a person. */
    public String source() {
        return source;
    }

    /** Its answer to {@code version}. */
    public String version() {
        return version;
    }

    /** How it is set up, in the form of memcached's options; null if it does not tell. */
    public @Nullable String flags() {
        return settings.flags();
    }

    /** Connections that it takes at the same time; empty if it does not tell. */
    public OptionalInt mostConnections() {
        return settings.mostConnections();
    }

    /** Stops it, if it was started for this measurement. */
    @Override
    public void close() {
        if (found != null) {
            found.close();
        }
    }
}
