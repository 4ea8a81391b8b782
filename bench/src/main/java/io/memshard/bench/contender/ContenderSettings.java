// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a contender is opened with; the same for all of a comparison.
 *
 * <p>Threading: immutable.
 *
 * @param server the one server, on the loopback interface
 * @param connections sockets of the contenders that take such a number, at least 1
 * @param poolSize clients in the pool of {@link ContenderKind#TEMPLATE}, at least 1
 * @param baselineJars class path of another build for {@link ContenderKind#MEMSHARD_BASELINE}; null if there is none
 */
public record ContenderSettings(
        InetSocketAddress server,
        int connections,
        int poolSize,
        @Nullable String baselineJars) {

    /** How long any contender waits for a reply: spymemcached's default, given to everyone. */
    public static final Duration TIMEOUT = Duration.ofMillis(2500);

    /** Settings without another build. */
    public ContenderSettings(InetSocketAddress server, int connections, int poolSize) {
        this(server, connections, poolSize, null);
    }

    /** {@code host:port}. */
    String address() {
        return server.getHostString() + ":" + server.getPort();
    }
}
