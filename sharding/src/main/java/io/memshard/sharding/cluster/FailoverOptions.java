// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.ejection.EjectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.sharding.ring.Server;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Settings that decide when a server counts as down, and where its keys go meanwhile. {@code Memshard.builder()} checks
 * them.
 *
 * <p>Threading: immutable.
 *
 * @param serverDown policy for commands whose server is ejected
 * @param ejection settings of when a server is ejected, and when it is taken back
 * @param gutter spare servers for {@link ServerDownPolicy#GUTTER}; empty for none
 * @param failoverTtl longest time to live of an item on another server than its own: 1 s to 30 days
 */
public record FailoverOptions(
        ServerDownPolicy serverDown, EjectionOptions ejection, List<Server> gutter, Duration failoverTtl) {

    /** Copies the list. */
    public FailoverOptions {
        gutter = List.copyOf(gutter);
    }

    /**
     * Returns the policy if it can work.
     *
     * @throws IllegalArgumentException if the policy needs a gutter and there is none
     */
    public ServerDownPolicy check(ServerDownPolicy policy) {
        Objects.requireNonNull(policy, "serverDown is null");
        if (policy == ServerDownPolicy.GUTTER && gutter.isEmpty()) {
            throw new IllegalArgumentException(
                    "serverDown is GUTTER and there is none: name spare servers in gutter, such as spare-1:11211");
        }
        return policy;
    }

    /**
     * Checks that no server is in the gutter too.
     *
     * @throws IllegalArgumentException if one is
     */
    public void checkServers(List<Server> servers) {
        for (Server spare : gutter) {
            ServerAddress address = spare.address();
            if (servers.stream().anyMatch(server -> server.address().equals(address))) {
                throw new IllegalArgumentException("gutter: " + address + " is one of the servers too: a spare server"
                        + " has no keys of its own, so name another");
            }
        }
    }
}
