// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.link.Link;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Links of a connection. Each stays here until no work is left for it. Threading: thread-safe. */
final class OpenedLinks {

    private final List<OpenedLink> links = new CopyOnWriteArrayList<>();

    /** Link, with the number of its replies that were already counted. Confined to the timer. */
    private static final class OpenedLink {

        private final Link link;
        private long replies;
        private long repliesInTime;

        OpenedLink(Link link) {
            this.link = link;
            replies = link.completed();
            repliesInTime = link.completedInTime();
        }

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

    void add(Link opened) {
        links.add(new OpenedLink(opened));
    }

    void tick(long nowNanos, PerServer server) {
        links.removeAll(
                links.stream().filter(each -> !each.tick(nowNanos, server)).toList());
    }

    void forEach(Consumer<Link> action) {
        links.forEach(each -> action.accept(each.link));
    }

    boolean isEmpty() {
        return links.isEmpty();
    }

    boolean areDrained() {
        return links.stream().allMatch(each -> each.link.isEmpty());
    }
}
