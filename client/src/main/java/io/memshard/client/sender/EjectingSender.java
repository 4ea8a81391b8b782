// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.options.ServerDownPolicy;

/** A sender to servers that may be ejected while they are down. */
public interface EjectingSender extends CommandSender {

    /**
     * Returns the same sender with another policy for commands whose server is ejected.
     *
     * @throws IllegalArgumentException if there is no gutter, which the policy needs
     */
    CommandSender withServerDown(ServerDownPolicy policy);
}
