// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.List;

/**
 * Distribution of keys over servers. {@link Rings} contains the rings of known clients.
 *
 * <p>Threading: immutable.
 */
@FunctionalInterface
public interface Ring {

    /**
     * Returns the locator of keys on these servers.
     *
     * @param servers the servers, copied; their order matters for most rings
     * @throws IllegalArgumentException if the list is empty, or if this ring cannot place one of the servers; the
     *     message says what to change
     */
    ServerLocator locator(List<Server> servers);

    /** Returns this ring applied to a part of each key only, so that keys with an equal part are on the same server. */
    default Ring routedBy(RoutingPart part) {
        return servers -> new RoutedLocator(locator(servers), part);
    }
}
