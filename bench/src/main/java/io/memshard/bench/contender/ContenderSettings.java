// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Settings of a client. {@code timeout} is the maximum wait for a reply. */
record ContenderSettings(List<InetSocketAddress> servers, int connections, int poolSize, Duration timeout) {

    /** Timeout that is equal to the default of spymemcached. */
    static final Duration TIMEOUT = Duration.ofMillis(2500);

    /** Timeout during an outage, equal to the default of Memshard. */
    static final Duration OUTAGE_TIMEOUT = Duration.ofMillis(500);

    InetSocketAddress server() {
        if (servers.size() > 1) {
            throw new IllegalArgumentException("this client calls only one server, but there are " + address());
        }
        return servers.get(0);
    }

    /** Returns the addresses of all servers, separated by commas. */
    String address() {
        return servers.stream()
                .map(server -> server.getHostString() + ":" + server.getPort())
                .collect(Collectors.joining(","));
    }
}
