// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.options.ServerDownPolicy;

/** Sender to servers that may be ejected while they are down. */
public interface EjectingSender extends CommandSender {

    /**
     * Returns a sender to the same servers, with another policy for ejected servers. Throws an {@link
     * IllegalArgumentException} if the policy needs gutter servers and there are none.
     */
    CommandSender withServerDown(ServerDownPolicy policy);
}
