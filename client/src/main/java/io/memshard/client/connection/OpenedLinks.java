// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.link.Link;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Links of a connection, each from its opening until no work is left for it, and the number of replies that callers got
 * on them.
 *
 * <p>Threading: thread-safe; the timer calls {@link #tick}.
 */
final class OpenedLinks {

    private final List<OpenedLink> links = new CopyOnWriteArrayList<>();

    /** Number of replies on links that were removed. Written by the timer. */
    private long repliesBefore;

    /** Number of all replies at the last tick. Written by the timer. */
    private long repliesCounted;

    /**
     * Link, and the number of its replies that belong to its greeting.
     *
     * @param greetings the number of commands that the link had completed before the first command of a caller
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

    /** Ticks each link, and removes those that have ended. Returns whether callers got replies since the last tick. */
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
