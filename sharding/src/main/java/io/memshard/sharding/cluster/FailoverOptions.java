// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.ejection.EjectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.sharding.ring.Server;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Settings that decide when a server counts as down, and which servers then take its keys. Immutable. */
public record FailoverOptions(
        ServerDownPolicy serverDown, EjectionOptions ejection, List<Server> gutter, Duration failoverTtl) {

    public FailoverOptions {
        gutter = List.copyOf(gutter);
    }

    public ServerDownPolicy check(ServerDownPolicy policy) {
        Objects.requireNonNull(policy, "serverDown is null");
        if (policy == ServerDownPolicy.GUTTER && gutter.isEmpty()) {
            throw new IllegalArgumentException(
                    "serverDown is GUTTER, but gutter is empty: name spare servers, such as spare-1:11211");
        }
        return policy;
    }

    public void checkServers(List<Server> servers) {
        for (Server spare : gutter) {
            ServerAddress address = spare.address().withName(null);
            if (servers.stream()
                    .anyMatch(server -> server.address().withName(null).equals(address))) {
                throw new IllegalArgumentException("gutter: " + address + " is one of the servers too, but a spare"
                        + " server must have no keys of its own: name another server");
            }
        }
    }
}
