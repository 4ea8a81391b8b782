// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Settings with which a contender is opened. Threading: immutable.
 *
 * @param server the server, on the loopback interface
 * @param connections number of sockets, at least 1, for contenders on which it has an effect
 * @param poolSize number of clients in the pool of {@link ContenderKind#TEMPLATE}, at least 1
 */
record ContenderSettings(InetSocketAddress server, int connections, int poolSize) {

    /** Time that any contender waits for a reply: spymemcached's default. */
    static final Duration TIMEOUT = Duration.ofMillis(2500);

    String address() {
        return server.getHostString() + ":" + server.getPort();
    }
}
