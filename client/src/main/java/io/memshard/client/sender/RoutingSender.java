// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

/** A sender to several servers, of which the key of a command chooses one. */
public interface RoutingSender extends CommandSender {

    /**
     * Returns a sender to the same servers that sends every command to the server of one key.
     *
     * @param key the key as it is stored
     */
    CommandSender withRoutingKey(String key);

    /** Calls {@link #withRoutingKey} of a sender to several servers. Any other sender is returned as it is. */
    static CommandSender routedBy(String key, CommandSender sender) {
        return sender instanceof RoutingSender servers ? servers.withRoutingKey(key) : sender;
    }
}
