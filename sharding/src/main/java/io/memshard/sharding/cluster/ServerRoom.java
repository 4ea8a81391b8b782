// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Number of further connections that a server can accept, according to its {@code stats}.
 *
 * <p>The clients of a fleet do not know one another, and may all open connections at the same moment. So each client
 * assumes that all others grow in the same proportion. It grows only if half of the server's connections are still free
 * after such growth. For example, a server accepts 1,024 connections, and a thousand clients have one connection each.
 * Then no client opens a second connection.
 *
 * <p>Source: protocol.txt, section "General-purpose statistics", {@code curr_connections} and {@code max_connections}.
 */
final class ServerRoom {

    /** Limit for the growth of connections to a server that does not report how many it accepts. */
    static final int UNTOLD = 2;

    private final long taken;
    private final long limit;

    private ServerRoom(long taken, long limit) {
        this.taken = taken;
        this.limit = limit;
    }

    /** Returns the room according to a reply to {@code stats}; null if the reply does not contain the numbers. */
    static @Nullable ServerRoom of(Map<String, String> stats) {
        try {
            int limit = Integer.parseInt(stats.getOrDefault("max_connections", ""));
            return new ServerRoom(Integer.parseInt(stats.getOrDefault("curr_connections", "")), limit);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Returns the maximum number of sockets of a client that now has {@code own} sockets, which must be at least 1. */
    long most(int own) {
        return own * (limit / 2) / Math.max(taken, own);
    }

    @Override
    public String toString() {
        return taken + " of " + limit + " connections taken";
    }
}
