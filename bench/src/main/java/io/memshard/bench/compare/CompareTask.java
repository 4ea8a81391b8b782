// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * What one fork of a comparison is told to do, which {@link io.memshard.bench.fork.TaskFile} writes.
 *
 * <p>Threading: immutable.
 *
 * @param fork from 1
 * @param plan of the comparison
 * @param servers addresses, at least one
 * @param serverPids ids of their processes; empty if they are not known
 */
record CompareTask(int fork, ComparePlan plan, List<InetSocketAddress> servers, List<Long> serverPids) {

    /** Resolves the addresses, which are read as they were written. */
    CompareTask {
        servers = servers.stream()
                .map(server -> new InetSocketAddress(server.getHostString(), server.getPort()))
                .toList();
    }

    /** Of this fork: the plan's would give every fork the same orders. */
    long seed() {
        return plan.seed() * 1_000_003 + fork;
    }
}
