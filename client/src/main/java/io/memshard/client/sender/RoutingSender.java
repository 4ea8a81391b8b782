// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.options.ServerDownPolicy;

/** Sender to several servers. The key of a command decides which server gets it. */
public interface RoutingSender extends CommandSender {

    /** Returns a sender that sends every command to the server of {@code key}, the key as it is stored. */
    CommandSender withRoutingKey(String key);

    /**
     * Returns a sender to the same servers, with another policy for ejected servers; this sender if it never ejects a
     * server. Throws an {@link IllegalArgumentException} if the policy needs gutter servers and there are none.
     */
    default CommandSender withServerDown(ServerDownPolicy policy) {
        return this;
    }

    /**
     * Returns whether commands may outlive a blocking call, which ends as soon as enough copies of the data have
     * answered.
     */
    default boolean outlivesCalls() {
        return false;
    }

    /** Returns {@code sender} with this routing key. A sender to one server is returned unchanged. */
    static CommandSender routedBy(String key, CommandSender sender) {
        return sender instanceof RoutingSender servers ? servers.withRoutingKey(key) : sender;
    }
}
