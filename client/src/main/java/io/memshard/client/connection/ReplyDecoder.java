package io.memshard.client.connection;

import io.memshard.client.protocol.MalformedReplyException;
import io.memshard.client.protocol.ReplyBuffer;

/**
 * Matches the bytes read from a link with its commands in flight, in order, and completes each whose
 * reply is whole.
 *
 * <p>Threading: confined to the link's reader.
 */
final class ReplyDecoder {

    private final ExchangeQueue queue;
    private final ReplyBuffer replies;

    ReplyDecoder(ExchangeQueue queue, int maxValueBytes) {
        this.queue = queue;
        this.replies = new ReplyBuffer(maxValueBytes);
    }

    /** The buffer to put bytes into before {@link #completeDecodable}. */
    ReplyBuffer buffer() {
        return replies;
    }

    /**
     * Completes every command whose reply is there whole.
     *
     * @return how many these were
     * @throws MalformedReplyException if the bytes are not what the oldest command asked for
     */
    int completeDecodable() throws MalformedReplyException {
        int completed = 0;
        while (replies.hasBytes()) {
            Exchange<?> first = queue.firstWritten();
            if (first == null) {
                throw new MalformedReplyException("bytes that no command in flight has asked for");
            }
            if (!first.command.decode(replies, first.opaque())) {
                break;
            }
            queue.removeFirst();
            first.complete();
            completed++;
        }
        return completed;
    }
}
