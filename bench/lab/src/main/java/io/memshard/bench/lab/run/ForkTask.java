// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.lab.data.ForkKey;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one fork is told to do, which {@link io.memshard.bench.fork.TaskFile} writes.
 *
 * <p>Threading: immutable.
 *
 * @param key which fork
 * @param warmUp before the measurement
 * @param window of the measurement
 * @param fixedCycles cycles that are timed after it; 0 for none
 * @param batch cycles between two time stamps
 * @param server {@code host:port} of the memcached; empty for none
 * @param serverPid its process; 0 if that is not known
 */
record ForkTask(
        ForkKey key, Duration warmUp, Duration window, long fixedCycles, int batch, String server, long serverPid) {

    /** Where the memcached listens; null for none. */
    @Nullable
    InetSocketAddress serverAddress() {
        if (server.isEmpty()) {
            return null;
        }
        int colon = server.lastIndexOf(':');
        return new InetSocketAddress(server.substring(0, colon), Integer.parseInt(server.substring(colon + 1)));
    }
}
