// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.List;
import java.util.function.IntPredicate;

/**
 * Which of some servers a key belongs to, and which come after it.
 *
 * <p>Made by a {@link Ring}; never changes. Other servers need another locator.
 *
 * <p>Threading: immutable; called by every calling thread at once. It takes no lock and does no I/O.
 */
public interface ServerLocator {

    /** What {@link #locate(String, IntPredicate)} returns when no server is accepted. */
    int NONE = -1;

    /** The servers in the order they were given, to which the indexes refer; unmodifiable and never empty. */
    List<Server> servers();

    /**
     * The index of the server that the key belongs to.
     *
     * @param key as it is sent to the server, a prefix included
     */
    int locate(String key);

    /**
     * The index of the first accepted server, in the order of this key: its own, then those after it.
     *
     * <p>The order is the same at each call. It has every server with a point or a slot at least once.
     *
     * @param accepts asked for one index after another, perhaps for one more than once
     * @return {@link #NONE} if no server is accepted
     */
    int locate(String key, IntPredicate accepts);
}
