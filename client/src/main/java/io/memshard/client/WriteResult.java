package io.memshard.client;

import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.StoreStatus;
import java.time.Duration;
import java.util.Optional;

/**
 * What became of a meta set or a meta arithmetic.
 *
 * <p>Threading: immutable.
 */
public final class WriteResult {

    private final MetaReply reply;

    WriteResult(MetaReply reply) {
        this.reply = reply;
    }

    /** Whether the item was changed, and if not why. */
    public StoreStatus status() {
        return reply.status();
    }

    /** Whether the item was changed. */
    public boolean isDone() {
        return reply.status() == StoreStatus.DONE;
    }

    /** The new number, unsigned; of an arithmetic that {@link #isDone()}. */
    public long number() {
        return ReplyFields.number(reply, 'v', "an ArithmeticRequest that is done");
    }

    /** The item's new cas unique, unsigned; where {@code returningCas} asked for it and {@link #isDone()}. */
    public long casUnique() {
        return ReplyFields.number(reply, 'c', "returningCas");
    }

    /**
     * The remaining time to live, in seconds; empty if the item never expires. Where {@code returningTtl} asked for
     * it and {@link #isDone()}.
     */
    public Optional<Duration> ttl() {
        return ReplyFields.ttl(reply, "returningTtl");
    }

    @Override
    public String toString() {
        return reply.status().toString();
    }
}
