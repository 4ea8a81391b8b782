// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.client.options.ServerAddress;
import io.memshard.sharding.ring.Server;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Delay of changes to the list: see {@link Discovery}. Confined to the thread of its {@code Discovery}. */
final class Damping {

    private static final int UNSTABLE_LISTS = 10;

    private final long settleNanos;
    private List<Server> current = List.of();
    private @Nullable List<Server> candidate;
    private long candidateSinceNanos;
    private int heldBackInARow;
    private boolean isUnstable;

    Damping(long settleNanos) {
        this.settleNanos = settleNanos;
    }

    /** Takes the next list, which has no duplicates. Returns whether {@link #current} has changed. */
    boolean offer(List<Server> seen, long nowNanos) {
        isUnstable = false;
        if (current.isEmpty()) {
            current = seen;
            return true;
        }
        boolean readdressed = readdress(seen);
        if (identities(seen).equals(identities(current))) {
            heldBackInARow = candidate == null ? 0 : heldBackInARow;
            dropCandidate();
            return readdressed;
        }
        if (candidate == null || !identities(seen).equals(identities(candidate))) {
            dropCandidate();
            candidateSinceNanos = nowNanos;
        }
        candidate = seen;
        if (untilSettledNanos(nowNanos) > 0) {
            return readdressed;
        }
        current = seen;
        candidate = null;
        heldBackInARow = 0;
        return true;
    }

    private void dropCandidate() {
        if (candidate != null) {
            isUnstable = ++heldBackInARow == UNSTABLE_LISTS;
            candidate = null;
        }
    }

    private boolean readdress(List<Server> seen) {
        Map<Object, Server> byIdentity = new HashMap<>();
        seen.forEach(server -> byIdentity.put(identity(server), server));
        List<Server> readdressed = current.stream()
                .map(server -> byIdentity.getOrDefault(identity(server), server))
                .toList();
        Set<ServerAddress> addresses = new HashSet<>();
        if (readdressed.equals(current)
                || !readdressed.stream()
                        .allMatch(server -> addresses.add(server.address().withName(null)))) {
            return false;
        }
        current = readdressed;
        return true;
    }

    private static List<Object> identities(List<Server> servers) {
        return servers.stream().map(Damping::identity).toList();
    }

    /** Returns the part of a server that rings use. Rings do not use the address of a named server. */
    private static Object identity(Server server) {
        String name = server.name();
        return name == null ? server : new Identity(name, server.weight(), server.zone());
    }

    private record Identity(
            String name, int weight, @Nullable String zone) {}

    List<Server> current() {
        return current;
    }

    long untilSettledNanos(long nowNanos) {
        return candidate == null ? Long.MAX_VALUE : Math.max(0, candidateSinceNanos + settleNanos - nowNanos);
    }

    boolean isUnstable() {
        return isUnstable;
    }
}
