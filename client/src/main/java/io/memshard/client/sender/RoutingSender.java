// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

/** Sender to several servers. The key of a command decides which server gets it. */
public interface RoutingSender extends CommandSender {

    /**
     * Returns a sender to the same servers that sends every command to the server of one key.
     *
     * @param key the key as it is stored
     */
    CommandSender withRoutingKey(String key);

    /**
     * Calls {@link #withRoutingKey} if {@code sender} has several servers. Otherwise returns {@code sender} unchanged.
     */
    static CommandSender routedBy(String key, CommandSender sender) {
        return sender instanceof RoutingSender servers ? servers.withRoutingKey(key) : sender;
    }
}
