// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import java.net.InetSocketAddress;
import java.time.Duration;

/** Settings of a contender. Only arrays use {@code connections}, and only a pool uses {@code poolSize}. */
record ContenderSettings(InetSocketAddress server, int connections, int poolSize) {

    /** Maximum wait for a reply, equal to spymemcached's default. */
    static final Duration TIMEOUT = Duration.ofMillis(2500);

    String address() {
        return server.getHostString() + ":" + server.getPort();
    }
}
