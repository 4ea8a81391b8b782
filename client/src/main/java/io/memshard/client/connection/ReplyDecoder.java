package io.memshard.client.connection;

import io.memshard.client.protocol.MalformedReplyException;
import io.memshard.client.protocol.ReplyBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Matches the bytes read from a link with its commands in flight, in order.
 *
 * <p>Decoding and completing are two steps, so that a link can settle its accounts before the first caller
 * wakes up and sends its next command.
 *
 * <p>Threading: confined to the link's reader.
 */
final class ReplyDecoder {

    private final ExchangeQueue queue;
    private final ReplyBuffer replies;

    /** Commands whose replies are decoded and whose callers do not know yet. */
    private final List<Exchange<?>> decoded = new ArrayList<>();

    ReplyDecoder(ExchangeQueue queue, int maxValueBytes) {
        this.queue = queue;
        this.replies = new ReplyBuffer(maxValueBytes);
    }

    /** The buffer to put bytes into before {@link #decode}. */
    ReplyBuffer buffer() {
        return replies;
    }

    /**
     * Decodes every reply that is there whole, to be followed by {@link #completeDecoded}, also after an
     * exception.
     *
     * @throws MalformedReplyException if the bytes are not what the oldest command asked for
     */
    void decode() throws MalformedReplyException {
        while (replies.hasBytes()) {
            Exchange<?> first = queue.firstWritten();
            if (first == null) {
                throw new MalformedReplyException("bytes that no command in flight has asked for");
            }
            if (!first.command.decode(replies, first.opaque())) {
                return;
            }
            queue.removeFirst();
            decoded.add(first);
        }
    }

    /** How many commands {@link #completeDecoded} is going to complete. */
    int decodedCount() {
        return decoded.size();
    }

    /** Completes the commands decoded, in order, all of them: nobody else would. First for those who wait for them. */
    void completeDecoded() {
        boolean haveFutures = false;
        for (int i = 0; i < decoded.size(); i++) {
            haveFutures |= decoded.get(i).settleDecoded();
        }
        int next = haveFutures ? 0 : decoded.size();
        try {
            while (next < decoded.size()) {
                decoded.get(next++).completeFuture();
            }
        } finally {
            while (next < decoded.size()) {
                decoded.get(next++).completeFuture();
            }
            decoded.clear();
        }
    }
}
