// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Settings that a contender is opened with; the same for all of a comparison. Threading: immutable.
 *
 * @param servers at least one, on the loopback interface; several only for {@link ContenderKind#servesMany}
 * @param connections sockets to a server of the contenders that take such a number, at least 1
 * @param poolSize clients in the pool of {@link ContenderKind#TEMPLATE}, at least 1
 * @param baselineJars class path of another build for {@link ContenderKind#MEMSHARD_BASELINE}; null if there is none
 */
public record ContenderSettings(
        List<InetSocketAddress> servers,
        int connections,
        int poolSize,
        @Nullable String baselineJars) {

    /** Time that any contender waits for a reply: spymemcached's default. */
    public static final Duration TIMEOUT = Duration.ofMillis(2500);

    /** Copies the list. */
    public ContenderSettings {
        servers = List.copyOf(servers);
    }

    /** Creates settings with one server and without another build. */
    public ContenderSettings(InetSocketAddress server, int connections, int poolSize) {
        this(List.of(server), connections, poolSize, null);
    }

    /** Returns the server of a contender that has one. */
    InetSocketAddress server() {
        return servers.get(0);
    }

    /** Returns {@code host:port}, with commas between several. */
    String address() {
        return servers.stream()
                .map(server -> server.getHostString() + ":" + server.getPort())
                .collect(Collectors.joining(", "));
    }
}
