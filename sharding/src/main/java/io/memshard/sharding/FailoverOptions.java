// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import io.memshard.client.options.EjectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.sharding.ring.Server;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * When a server counts as down, and what becomes of its keys meanwhile.
 *
 * <p>Threading: immutable.
 *
 * @param serverDown what becomes of commands whose server is ejected
 * @param ejection when a server is ejected, and when it is taken back
 * @param gutter spare servers for {@link ServerDownPolicy#GUTTER}; empty for none
 * @param failoverTtl how long an item may live on another server than its own: 1 s to 30 days
 */
public record FailoverOptions(
        ServerDownPolicy serverDown, EjectionOptions ejection, List<Server> gutter, Duration failoverTtl) {

    private static final Duration LONGEST_TTL = Duration.ofDays(30);

    /** Fail fast, no gutter, 60 s. */
    public static final FailoverOptions DEFAULTS = new FailoverOptions(
            ServerDownPolicy.FAIL_FAST, EjectionOptions.DEFAULTS, List.of(), Duration.ofSeconds(60));

    /** Checks the parts. */
    public FailoverOptions {
        Objects.requireNonNull(serverDown, "serverDown is null");
        Objects.requireNonNull(failoverTtl, "failoverTtl is null");
        if (failoverTtl.compareTo(Duration.ofSeconds(1)) < 0 || failoverTtl.compareTo(LONGEST_TTL) > 0) {
            throw new IllegalArgumentException(
                    "failoverTtl is " + failoverTtl + ": it is 1 s to 30 days, as in Duration.ofSeconds(60)");
        }
        gutter = List.copyOf(gutter);
    }

    /** Refuses a policy that needs a gutter if there is none. */
    public ServerDownPolicy check(ServerDownPolicy policy) {
        Objects.requireNonNull(policy, "serverDown is null");
        if (policy == ServerDownPolicy.GUTTER && gutter.isEmpty()) {
            throw new IllegalArgumentException(
                    "serverDown is GUTTER and there is none: name spare servers, as in gutter(\"spare-1:11211\")");
        }
        return policy;
    }

    /** Refuses servers of which one is in the gutter too. */
    public void checkServers(List<Server> servers) {
        for (Server spare : gutter) {
            ServerAddress address = spare.address();
            if (servers.stream().anyMatch(server -> server.address().equals(address))) {
                throw new IllegalArgumentException("gutter: " + address + " is one of the servers too: a spare server"
                        + " has no keys of its own, so name another");
            }
        }
    }

    /** The same with another {@link #serverDown}. */
    public FailoverOptions withServerDown(ServerDownPolicy policy) {
        return new FailoverOptions(policy, ejection, gutter, failoverTtl);
    }

    /** The same with another {@link #ejection}. */
    public FailoverOptions withEjection(EjectionOptions newEjection) {
        return new FailoverOptions(serverDown, newEjection, gutter, failoverTtl);
    }

    /** The same with another {@link #gutter}. */
    public FailoverOptions withGutter(List<Server> spares) {
        return new FailoverOptions(serverDown, ejection, spares, failoverTtl);
    }

    /** The same with another {@link #failoverTtl}. */
    public FailoverOptions withFailoverTtl(Duration ttl) {
        return new FailoverOptions(serverDown, ejection, gutter, ttl);
    }
}
