// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.function.Function;

/**
 * Classic form of an {@code ma} that does not create missing items: {@code incr} or {@code decr}.
 *
 * <p>Protocol: {@code incr <key> <delta>\r\n}, replied {@code <number>} or {@code NOT_FOUND}; protocol.txt, section
 * "Increment/Decrement".
 */
final class ClassicArithmetic<T> extends KeyCommand<T> {

    private static final byte[] NOT_FOUND = "NOT_FOUND".getBytes(US_ASCII);

    private final String verb;
    private final long delta;
    private final Function<MetaReply, T> outcome;

    private MetaReply reply = new MetaReply(StoreStatus.NOT_FOUND);

    ClassicArithmetic(String key, String verb, long delta, Function<MetaReply, T> outcome) {
        super(key);
        this.verb = verb;
        this.delta = delta;
        this.outcome = outcome;
    }

    @Override
    public String verb() {
        return verb;
    }

    @Override
    public Command<T> classicForm() {
        return this;
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        appendKey(out.append(verb.getBytes(US_ASCII)).append(' '))
                .append(' ')
                .appendUnsigned(delta)
                .endLine();
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (!in.nextLine()) {
            return false;
        }
        if (in.lineIs(NOT_FOUND) || takeError(in)) {
            return true;
        }
        if (!in.nextToken()) {
            throw in.malformed("not a reply to " + verb);
        }
        reply = new MetaReply(StoreStatus.DONE);
        reply.put((byte) 'v', in.tokenNumber());
        // If decr makes a number shorter, memcached pads the number with spaces.
        if (in.nextToken()) {
            throw in.malformed("not a reply to " + verb);
        }
        return true;
    }

    @Override
    public T result() {
        return outcome.apply(reply);
    }
}
