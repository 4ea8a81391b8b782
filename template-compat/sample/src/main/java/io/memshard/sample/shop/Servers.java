// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.client.options.ServerAddress;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedProcess;
import java.util.ArrayList;
import java.util.List;

/**
 * Servers of the shop, in the order of their numbers from 0.
 *
 * <p>Threading: thread-safe.
 */
public final class Servers implements AutoCloseable {

    /** Largest number of servers that {@link #start} starts. */
    public static final int MAX_COUNT = 8;

    private final List<SampleServer> servers;

    private Servers(List<SampleServer> servers) {
        this.servers = List.copyOf(servers);
    }

    /** Kinds of servers to start. */
    public enum Kind {
        /** Servers inside this JVM. */
        EMBEDDED,
        /** Processes of the memcached on the PATH. */
        PROCESS;

        private SampleServer start() {
            return SampleServer.of(this == EMBEDDED ? EmbeddedMemcached.start() : MemcachedProcess.start());
        }
    }

    /**
     * Starts servers.
     *
     * @param count number of servers, 1 to {@link #MAX_COUNT}
     * @throws IllegalStateException if a server does not start; no server is left running then
     */
    public static Servers start(Kind kind, int count) {
        if (count < 1 || count > MAX_COUNT) {
            throw new IllegalArgumentException("count is " + count + ", but must be 1 to " + MAX_COUNT);
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
     * Returns servers that run already.
     *
     * @param addresses address of each server as {@code host:port}, at least one
     * @throws IllegalArgumentException if an address has another format
     */
    public static Servers given(List<String> addresses) {
        return new Servers(addresses.stream()
                .map(address -> ServerAddress.parse(address.strip()))
                .map(address -> SampleServer.given(address.toString()))
                .toList());
    }

    List<SampleServer> all() {
        return servers;
    }

    /**
     * Returns the server with a number.
     *
     * @throws IllegalArgumentException if no server has this number
     */
    public SampleServer get(int number) {
        if (number < 0 || number >= servers.size()) {
            throw new IllegalArgumentException("no server " + number + ": use 0 to " + (servers.size() - 1));
        }
        return servers.get(number);
    }

    @Override
    public void close() {
        servers.forEach(SampleServer::close);
    }
}
