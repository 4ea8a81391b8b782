// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.List;
import java.util.function.IntPredicate;

/**
 * Locator that finds the server of a key, and another server if that server is down. Each {@link Ring} creates locators
 * for fixed lists of servers.
 *
 * <p>Threading: immutable; called by many threads at once. Takes no lock and does no I/O.
 */
public interface ServerLocator {

    /** Result of {@link #locate(String, IntPredicate)} if no server is accepted. */
    int NONE = -1;

    /** Returns the servers, unmodifiable and never empty. The indexes of {@code locate} are positions in this list. */
    List<Server> servers();

    /**
     * Returns the index of the server that the key belongs to.
     *
     * @param key the key as sent to the server, with its prefix
     */
    default int locate(String key) {
        return locate(key, server -> true);
    }

    /**
     * Returns the index of the first server for which {@code accepts} returns true, in an order that depends on the
     * key. The order starts with the server that the key belongs to, and is the same at each call. The order contains
     * each server to which the ring assigns keys.
     *
     * @param accepts the test of a server's index; may be called more than once with the same index
     * @return the index, or {@link #NONE} if no server is accepted
     */
    int locate(String key, IntPredicate accepts);
}
