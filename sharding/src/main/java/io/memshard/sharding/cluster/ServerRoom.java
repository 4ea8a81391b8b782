// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Room that a server has for more connections, as its {@code stats} say.
 *
 * <p>The clients of a fleet cannot see one another, and may all grow at the same moment. So each assumes that all
 * others grow in the same proportion, and grows only if the server then still has half of its connections free. A
 * thousand clients with one connection each therefore keep it on a server that takes 1,024.
 *
 * <p>Source: protocol.txt, section "General-purpose statistics", {@code curr_connections} and {@code max_connections}.
 */
final class ServerRoom {

    /** Number of connections where a server does not say how many it takes. */
    static final int UNTOLD = 2;

    private final long taken;
    private final long limit;

    private ServerRoom(long taken, long limit) {
        this.taken = taken;
        this.limit = limit;
    }

    /** Returns the room by a reply to {@code stats}; null if it does not say. */
    static @Nullable ServerRoom of(Map<String, String> stats) {
        try {
            int limit = Integer.parseInt(stats.getOrDefault("max_connections", ""));
            return new ServerRoom(Integer.parseInt(stats.getOrDefault("curr_connections", "")), limit);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Returns the most sockets that a client may have, which has {@code own} of them now, at least one. */
    long most(int own) {
        return own * (limit / 2) / Math.max(taken, own);
    }

    @Override
    public String toString() {
        return taken + " of " + limit + " connections taken";
    }
}
