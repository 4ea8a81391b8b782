// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Choice of other servers for the items of an unsent command, whose server has left or was ejected meanwhile. */
public final class Rerouting {

    private Rerouting() {}

    /**
     * Groups the items of a command that has failed by the servers that have them now.
     *
     * <p>Whoever sends each group, and does so again after each failure, comes to an end. Each further attempt needs a
     * change of servers, because the same server is not tried again.
     *
     * @param failure why the command has failed
     * @param server what the command was sent to
     * @param now groups the items, as {@link CommandSender#byServer} does
     * @return empty if the command may have been sent, or the same server still has all the items
     */
    public static <I> Map<CommandSender, List<I>> elsewhere(
            MemcachedException failure, CommandSender server, Supplier<Map<CommandSender, List<I>>> now) {
        if (!(failure instanceof MemcachedConnectionException) || !failure.isSafeToRetry()) {
            return Map.of();
        }
        Map<CommandSender, List<I>> groups = now.get();
        return groups.keySet().equals(Set.of(server)) ? Map.of() : groups;
    }
}
