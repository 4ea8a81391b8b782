// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import java.net.InetSocketAddress;
import java.time.Duration;

record ContenderSettings(InetSocketAddress server, int connections, int poolSize) {

    /** Maximum wait for a reply, equal to the default of spymemcached. */
    static final Duration TIMEOUT = Duration.ofMillis(2500);

    String address() {
        return server.getHostString() + ":" + server.getPort();
    }
}
