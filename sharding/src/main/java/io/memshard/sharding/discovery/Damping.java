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

/**
 * Damping of changes: decides which lists of servers are adopted. A server that repeatedly disappears and returns thus
 * does not move keys back and forth.
 *
 * <p>The first list is adopted immediately. A new address of a named server is also adopted immediately, because no key
 * moves. Any other change is adopted once every query during the settle time has returned it. The settle time doubles
 * with each adopted change, at most {@value #MAX_DOUBLINGS} times in total. The settle time halves after each period
 * without changes that is as long as the largest settle time.
 *
 * <p>Threading: confined to the thread of its {@code Discovery}.
 */
final class Damping {

    private static final int MAX_DOUBLINGS = 4;

    private final long settleNanos;
    private int doublings;

    /** Time of the last adopted change, or of the last halving of the settle time. */
    private long changedNanos;

    private List<Server> current = List.of();
    private @Nullable List<Server> candidate;
    private long candidateSinceNanos;
    private long heldBack;
    private long heldBackInARow;

    Damping(long settleNanos) {
        this.settleNanos = settleNanos;
    }

    /**
     * Processes a list from the source. Returns whether {@link #current} has changed.
     *
     * @param seen the list; not empty, and without duplicate names or addresses
     */
    boolean offer(List<Server> seen, long nowNanos) {
        if (current.isEmpty()) {
            current = seen;
            changedNanos = nowNanos;
            return true;
        }
        decayDoublings(nowNanos);
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
        doublings = Math.min(doublings + 1, MAX_DOUBLINGS);
        changedNanos = nowNanos;
        return true;
    }

    private void dropCandidate() {
        if (candidate != null) {
            heldBack++;
            heldBackInARow++;
            candidate = null;
        }
    }

    private void decayDoublings(long nowNanos) {
        long quiet = settleNanos << MAX_DOUBLINGS;
        while (doublings > 0 && nowNanos - changedNanos >= quiet) {
            doublings--;
            changedNanos += quiet;
        }
    }

    /** Updates the addresses of the current servers, unless two servers would then have the same address. */
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

    /** Returns the properties that rings may use. If the server has a name, its address is not one of them. */
    private static Object identity(Server server) {
        String name = server.name();
        return name == null ? server : new Identity(name, server.weight(), server.zone());
    }

    private record Identity(
            String name, int weight, @Nullable String zone) {}

    List<Server> current() {
        return current;
    }

    /** Returns the time until the pending change is adopted; {@link Long#MAX_VALUE} if no change is pending. */
    long untilSettledNanos(long nowNanos) {
        return candidate == null
                ? Long.MAX_VALUE
                : Math.max(0, candidateSinceNanos + (settleNanos << doublings) - nowNanos);
    }

    long heldBack() {
        return heldBack;
    }

    /**
     * Returns the number of lists that disappeared before they were adopted. The number becomes 0 when a list is
     * adopted, or when two queries in a row return {@link #current}.
     */
    long heldBackInARow() {
        return heldBackInARow;
    }
}
