// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

/** Sender to several servers. The key of a command decides which server gets it. */
public interface RoutingSender extends CommandSender {

    /** Returns a sender that sends every command to the server of {@code key}, the key as it is stored. */
    CommandSender withRoutingKey(String key);

    /** Returns {@code sender} with this routing key. A sender to one server is returned unchanged. */
    static CommandSender routedBy(String key, CommandSender sender) {
        return sender instanceof RoutingSender servers ? servers.withRoutingKey(key) : sender;
    }
}
