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
 * Decides which of the lists that are seen is adopted, so that a name that comes and goes moves no keys to and fro.
 *
 * <p>The first list is adopted at once. So is another address of a named server, because no key moves. Any other change
 * is adopted when it was seen at every look for the settle time. That time doubles with each change, up to
 * {@value #MAX_DOUBLINGS} times, and halves after as long a time without changes as it can be at most.
 *
 * <p>Threading: confined to the thread of its {@code Discovery}.
 */
final class Damping {

    private static final int MAX_DOUBLINGS = 4;

    private final long settleNanos;
    private int doublings;

    /** When the last change was adopted, or the doublings were last reduced. */
    private long changedNanos;

    private List<Server> current = List.of();
    private @Nullable List<Server> candidate;
    private long candidateSinceNanos;
    private long heldBack;
    private long heldBackInARow;

    /**
     * No list is adopted yet.
     *
     * @param settleNanos how long a change must be seen until it is adopted; 0 for at once
     */
    Damping(long settleNanos) {
        this.settleNanos = settleNanos;
    }

    /**
     * Takes a list that was seen. Afterwards {@link #current} tells what is in force.
     *
     * @param seen not empty, each name and address once
     * @param nowNanos a {@link System#nanoTime()}
     * @return whether {@link #current} has changed
     */
    boolean offer(List<Server> seen, long nowNanos) {
        if (current.isEmpty()) {
            current = seen;
            changedNanos = nowNanos;
            return true;
        }
        calmDown(nowNanos);
        boolean readdressed = readdress(seen);
        if (places(seen).equals(places(current))) {
            heldBackInARow = candidate == null ? 0 : heldBackInARow;
            dropCandidate();
            return readdressed;
        }
        if (candidate == null || !places(seen).equals(places(candidate))) {
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

    private void calmDown(long nowNanos) {
        long quiet = settleNanos << MAX_DOUBLINGS;
        while (doublings > 0 && nowNanos - changedNanos >= quiet) {
            doublings--;
            changedNanos += quiet;
        }
    }

    /** Gives servers their new addresses, unless two servers would then have the same one. */
    private boolean readdress(List<Server> seen) {
        Map<Object, Server> byPlace = new HashMap<>();
        seen.forEach(server -> byPlace.put(place(server), server));
        List<Server> readdressed = current.stream()
                .map(server -> byPlace.getOrDefault(place(server), server))
                .toList();
        Set<ServerAddress> addresses = new HashSet<>();
        if (readdressed.equals(current) || !readdressed.stream().allMatch(server -> addresses.add(server.address()))) {
            return false;
        }
        current = readdressed;
        return true;
    }

    private static List<Object> places(List<Server> servers) {
        return servers.stream().map(Damping::place).toList();
    }

    /** What a ring can know of a server. The address of a named server is not among it. */
    private static Object place(Server server) {
        String name = server.name();
        return name == null ? server : new Place(name, server.weight(), server.zone());
    }

    private record Place(String name, int weight, @Nullable String zone) {}

    /** The list in force; empty before the first. */
    List<Server> current() {
        return current;
    }

    /** For how long a change must still be seen until it is adopted; {@link Long#MAX_VALUE} without a change. */
    long untilSettledNanos(long nowNanos) {
        return candidate == null
                ? Long.MAX_VALUE
                : Math.max(0, candidateSinceNanos + (settleNanos << doublings) - nowNanos);
    }

    /** How many lists were seen and gone again before they were adopted. */
    long heldBack() {
        return heldBack;
    }

    /** How many of them came since two looks in a row saw {@link #current}, or a list was adopted. */
    long heldBackInARow() {
        return heldBackInARow;
    }
}
