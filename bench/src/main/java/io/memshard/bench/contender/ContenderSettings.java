// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Settings with which a contender is opened.
 *
 * @param connections number of sockets, at least 1, of each contender that is an array
 * @param poolSize number of clients in the pool of {@link ContenderKind#TEMPLATE}, at least 1
 */
record ContenderSettings(InetSocketAddress server, int connections, int poolSize) {

    /** Maximum wait for a reply; spymemcached's default. */
    static final Duration TIMEOUT = Duration.ofMillis(2500);

    String address() {
        return server.getHostString() + ":" + server.getPort();
    }
}
