// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Choice of other servers for the items of an unsent command, whose server was removed or ejected meanwhile. */
public final class Rerouting {

    private Rerouting() {}

    /**
     * Groups the items of a failed command by the servers that they now belong to.
     *
     * <p>A caller may send each group, and call this method again after each failure. The calls do not repeat forever,
     * because the same server is not tried again: each attempt needs a change of servers.
     *
     * @param failure the failure of the command
     * @param server the sender that was given the command
     * @param now supplier of the current groups of the items, from {@link CommandSender#byServer}
     * @return the groups; empty if the command may have been sent, or all items still belong to the same server
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
