// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.link.Link;

/**
 * Link of a connection since its handshake, with the number of its replies that were already counted. Threading: the
 * timer ticks; any thread may call the other methods.
 */
final class OpenedLink {

    final Link link;

    private final long openedNanos = System.nanoTime();
    private final long greetings;

    private long replies;
    private long repliesInTime;

    OpenedLink(Link link) {
        this.link = link;
        greetings = link.completed();
        replies = greetings;
        repliesInTime = link.completedInTime();
    }

    /**
     * Returns whether the server has answered a command after the handshake, or the link has been open for {@code
     * servedNanos}. A server that closes links after the handshake therefore counts as failing.
     */
    boolean hasServed(long nowNanos, long servedNanos) {
        return link.completed() > greetings || nowNanos - openedNanos >= servedNanos;
    }

    /** Returns whether further ticks are needed. */
    boolean tick(long nowNanos, PerServer server) {
        boolean isOpen = link.tick(nowNanos);
        long inTime = link.completedInTime() - repliesInTime;
        long all = link.completed() - replies;
        if (all > 0) {
            server.replied(inTime, all - inTime);
        }
        replies += all;
        repliesInTime += inTime;
        return isOpen;
    }
}
