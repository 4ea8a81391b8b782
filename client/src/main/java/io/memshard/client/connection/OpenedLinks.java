// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.link.Link;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Every link of a connection from when it opens until nothing is left to be done for it, and how many replies callers
 * had on them.
 *
 * <p>Threading: thread-safe; {@link #tick} by the timer.
 */
final class OpenedLinks {

    private final List<OpenedLink> links = new CopyOnWriteArrayList<>();

    /** Number of replies on links that were removed. Written by the timer. */
    private long repliesBefore;

    /** Number of all replies at the last tick. Written by the timer. */
    private long repliesCounted;

    /**
     * A link, and how many of its replies were to its greeting.
     *
     * @param greetings how many commands it had completed before it took those of callers
     */
    private record OpenedLink(Link link, long greetings) {

        long replies() {
            return link.completed() - greetings;
        }
    }

    /** Adds a link that was greeted, before it has a command of a caller. */
    void add(Link opened) {
        links.add(new OpenedLink(opened, opened.completed()));
    }

    /** Ticks each link, and removes those that have ended. Returns whether callers had replies since the last tick. */
    boolean tick(long nowNanos) {
        List<OpenedLink> over =
                links.stream().filter(each -> !each.link.tick(nowNanos)).toList();
        long replies = repliesBefore;
        for (OpenedLink each : links) {
            replies += each.replies();
        }
        over.forEach(each -> repliesBefore += each.replies());
        links.removeAll(over);
        boolean had = replies != repliesCounted;
        repliesCounted = replies;
        return had;
    }

    void forEach(Consumer<Link> action) {
        links.forEach(each -> action.accept(each.link));
    }

    /** Returns whether there are no links. */
    boolean isEmpty() {
        return links.isEmpty();
    }

    /** Returns whether no link has work left for a command. */
    boolean areDrained() {
        return links.stream().allMatch(each -> each.link.isEmpty());
    }
}
