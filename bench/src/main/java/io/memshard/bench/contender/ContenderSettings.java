// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Settings with which a contender is opened. Threading: immutable.
 *
 * @param servers one or more servers, on the loopback interface; several only for {@link ContenderKind#servesMany}
 * @param connections number of sockets to each server, at least 1, for contenders on which it has an effect
 * @param poolSize number of clients in the pool of {@link ContenderKind#TEMPLATE}, at least 1
 */
public record ContenderSettings(List<InetSocketAddress> servers, int connections, int poolSize) {

    /** Time that any contender waits for a reply: spymemcached's default. */
    public static final Duration TIMEOUT = Duration.ofMillis(2500);

    /** Copies the list. */
    public ContenderSettings {
        servers = List.copyOf(servers);
    }

    /** Creates settings with one server. */
    public ContenderSettings(InetSocketAddress server, int connections, int poolSize) {
        this(List.of(server), connections, poolSize);
    }

    /** Returns the first server, for a contender that uses a single one. */
    InetSocketAddress server() {
        return servers.get(0);
    }

    /** Returns {@code host:port} of each server, with commas between them. */
    String address() {
        return servers.stream()
                .map(server -> server.getHostString() + ":" + server.getPort())
                .collect(Collectors.joining(", "));
    }
}
