// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.servers;

import io.memshard.client.options.ServerAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The servers of the shop, in the order of their numbers from 0.
 *
 * <p>Threading: thread-safe.
 */
public final class Servers implements AutoCloseable {

    /** The most that {@link #start} starts. */
    public static final int MOST = 8;

    private final List<SampleServer> servers;

    private Servers(List<SampleServer> servers) {
        this.servers = List.copyOf(servers);
    }

    /** Where servers come from. */
    public enum Kind {
        /** Inside this JVM. */
        EMBEDDED,
        /** Processes of the memcached on the PATH. */
        PROCESS,
        /** Containers. */
        CONTAINER;

        private SampleServer start() {
            return switch (this) {
                case EMBEDDED -> new EmbeddedServer();
                case PROCESS -> new ProcessServer();
                case CONTAINER -> new ContainerServer();
            };
        }
    }

    /**
     * Starts servers.
     *
     * @param count how many, 1 to {@link #MOST}
     * @throws IllegalStateException if one does not start; none is left running then
     */
    public static Servers start(Kind kind, int count) {
        if (count < 1 || count > MOST) {
            throw new IllegalArgumentException("count must be 1 to " + MOST + ", was " + count);
        }
        List<SampleServer> started = new ArrayList<>();
        try {
            for (int number = 0; number < count; number++) {
                started.add(kind.start());
            }
            return new Servers(started);
        } catch (RuntimeException e) {
            started.forEach(SampleServer::close);
            throw e;
        }
    }

    /**
     * Servers that run already.
     *
     * @param addresses {@code host:port} each, at least one
     * @throws IllegalArgumentException if one is no such address
     */
    public static Servers given(List<String> addresses) {
        return new Servers(addresses.stream()
                .map(address -> ServerAddress.parse(address.strip()))
                .<SampleServer>map(address -> new GivenServer(address.toString()))
                .toList());
    }

    /** All of them. */
    public List<SampleServer> all() {
        return servers;
    }

    /**
     * The server of a number.
     *
     * @throws IllegalArgumentException if there is none
     */
    public SampleServer get(int number) {
        if (number < 0 || number >= servers.size()) {
            throw new IllegalArgumentException(
                    "no server " + number + ": there are those from 0 to " + (servers.size() - 1));
        }
        return servers.get(number);
    }

    @Override
    public void close() {
        servers.forEach(SampleServer::close);
    }
}
