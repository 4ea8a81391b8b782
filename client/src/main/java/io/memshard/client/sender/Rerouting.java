// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Choice of other servers for the items of an unsent command, whose server was removed or ejected. */
public final class Rerouting {

    private Rerouting() {}

    /**
     * Groups the items of a failed command by the servers that they now belong to. Returns no group if the command may
     * have been sent, or if all items still belong to {@code server}. A caller may send each group, and call this
     * method again after each failure. The calls do not repeat forever, because each one needs a change of servers.
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
