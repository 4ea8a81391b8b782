// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.protocol.MetaReply;
import java.time.Duration;
import java.util.Optional;

/**
 * What happened to a meta set or a meta arithmetic.
 *
 * <p>Threading: immutable.
 */
public final class WriteResult {

    private final MetaReply reply;

    WriteResult(MetaReply reply) {
        this.reply = reply;
    }

    /** Whether the item was changed, and if not, why. */
    public WriteStatus status() {
        return WriteStatus.of(reply.status());
    }

    /** Whether the item was changed. */
    public boolean isDone() {
        return status() == WriteStatus.DONE;
    }

    /** The new number, unsigned; of an arithmetic that {@link #isDone()}. */
    public long number() {
        return ReplyFields.number(reply, 'v', "an ArithmeticRequest that is done");
    }

    /** The item's new cas unique, unsigned; if {@code returningCas} asked for it and {@link #isDone()}. */
    public long casUnique() {
        return ReplyFields.number(reply, 'c', "returningCas");
    }

    /**
     * The remaining time to live, in seconds; empty if the item never expires. It is there if {@code returningTtl}
     * asked for it and {@link #isDone()}.
     */
    public Optional<Duration> ttl() {
        return ReplyFields.ttl(reply, "returningTtl");
    }

    @Override
    public String toString() {
        return reply.status().toString();
    }
}
