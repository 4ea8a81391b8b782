// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.protocol.MetaReply;
import java.time.Duration;
import java.util.Optional;

/** The numbers that come with a meta reply, each only if it was requested. */
final class ReplyFields {

    private ReplyFields() {}

    static long number(MetaReply reply, char letter, String how) {
        if (!reply.has(letter)) {
            throw new IllegalStateException("not in the reply (" + reply.status() + "): ask for it with " + how);
        }
        return reply.number(letter);
    }

    /** The remaining time to live; empty if the item never expires. */
    static Optional<Duration> ttl(MetaReply reply, String how) {
        long seconds = number(reply, 't', how);
        return seconds < 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    }
}
