// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.link.Exchange;
import io.memshard.client.link.LinkContext;
import io.memshard.client.protocol.Command;

/**
 * An exchange as its caller sees it: one object is the node in the link's queue and the reply that the caller holds.
 */
class PendingReply<T> extends Exchange<T> implements Reply<T> {

    PendingReply(Command<T> command, LinkContext context) {
        super(command, context);
    }
}
