// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import io.memshard.client.protocol.MetaReply;
import java.time.Duration;
import java.util.Optional;

/**
 * Outcome of a meta set or a meta arithmetic.
 *
 * <p>Threading: immutable.
 */
public final class WriteResult {

    private final MetaReply reply;

    WriteResult(MetaReply reply) {
        this.reply = reply;
    }

    /** Returns whether the item was changed, or why it was not changed. */
    public WriteStatus status() {
        return WriteStatus.of(reply.status());
    }

    /** Returns whether the item was changed. */
    public boolean isDone() {
        return status() == WriteStatus.DONE;
    }

    /** Returns the new unsigned number of an arithmetic request. Requires {@link #isDone()}. */
    public long number() {
        return reply.requested('v', "an ArithmeticRequest, and read the number only if isDone() is true");
    }

    /** Returns the item's new cas unique, unsigned. Requires {@code returningCas} and {@link #isDone()}. */
    public long casUnique() {
        return reply.requested('c', "returningCas");
    }

    /** Returns the size of the stored value in bytes. Requires {@code returningSize}. */
    public long sizeBytes() {
        return reply.requested('s', "returningSize, which needs memcached 1.6.38");
    }

    /**
     * Returns the remaining time to live, in whole seconds; empty if the item never expires. Requires
     * {@code returningTtl} and {@link #isDone()}.
     */
    public Optional<Duration> ttl() {
        return ttl(reply.requested('t', "returningTtl"));
    }

    static Optional<Duration> ttl(long seconds) {
        return seconds < 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    }

    @Override
    public String toString() {
        return reply.status().toString();
    }
}
