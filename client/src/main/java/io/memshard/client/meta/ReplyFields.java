// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.protocol.MetaReply;
import java.time.Duration;
import java.util.Optional;

/** Functions that return the numbers in a meta reply. A number is present only if it was requested. */
final class ReplyFields {

    private ReplyFields() {}

    static long number(MetaReply reply, char letter, String how) {
        if (!reply.has(letter)) {
            throw new IllegalStateException(reply.status() + " reply lacks " + letter + ": request it with " + how);
        }
        return reply.number(letter);
    }

    static Optional<Duration> ttl(MetaReply reply, String how) {
        long seconds = number(reply, 't', how);
        return seconds < 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    }
}
