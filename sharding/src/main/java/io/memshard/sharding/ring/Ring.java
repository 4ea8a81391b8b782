// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.List;

/**
 * How keys are spread over servers. {@link Rings} has those of known clients.
 *
 * <p>Threading: immutable.
 */
@FunctionalInterface
public interface Ring {

    /**
     * The place of every key on these servers.
     *
     * @param servers copied; for most rings their order matters
     * @throws IllegalArgumentException if there are none, or if this ring cannot place one of them; the message says
     *     what to change
     */
    ServerLocator locator(List<Server> servers);

    /** The same ring for only a part of each key, so that keys with an equal part are on the same server. */
    default Ring routedBy(RoutingPart part) {
        return servers -> new RoutedLocator(locator(servers), part);
    }
}
