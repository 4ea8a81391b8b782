// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.ServerDownPolicy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Sender to several servers. The key of a command decides which server gets the command. */
public interface RoutingSender extends CommandSender {

    /** Returns a sender that sends every command to the server of {@code key}, a key in stored form. */
    CommandSender withRoutingKey(String key);

    default CommandSender withServerDown(ServerDownPolicy policy) {
        return this;
    }

    /** Returns whether a call may return before all its commands are sent, as in a client with zones. */
    default boolean outlivesCalls() {
        return false;
    }

    static CommandSender routedBy(String key, CommandSender sender) {
        return sender instanceof RoutingSender servers ? servers.withRoutingKey(key) : sender;
    }

    /** Groups items by their present servers; empty if all still belong to {@code server}, to avoid an endless loop. */
    static <I> Map<CommandSender, List<I>> elsewhere(
            MemcachedException failure, CommandSender server, Supplier<Map<CommandSender, List<I>>> now) {
        if (!(failure instanceof MemcachedConnectionException) || !failure.isSafeToRetry()) {
            return Map.of();
        }
        Map<CommandSender, List<I>> groups = now.get();
        return groups.keySet().equals(Set.of(server)) ? Map.of() : groups;
    }
}
