// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.protocol.MetaRelease;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import java.util.List;

/**
 * Matches the bytes read from a link with its commands in flight, in order.
 *
 * <p>Decoding and completing are separate steps, so that a link can update its counts before the first caller wakes up
 * and sends its next command.
 *
 * <p>Threading: confined to the link's reader.
 */
final class ReplyDecoder {

    private final ExchangeQueue queue;
    private final ReplyBuffer replies;
    private final Link.Listener listener;

    /** Creates a decoder of the bytes added to {@code replies} before {@link #decode}. */
    ReplyDecoder(ExchangeQueue queue, ReplyBuffer replies, Link.Listener listener) {
        this.queue = queue;
        this.replies = replies;
        this.listener = listener;
    }

    /**
     * Decodes every complete reply. The caller then completes the decoded exchanges of the queue, even after an
     * exception.
     *
     * @throws MalformedReplyException if the bytes are not a reply to the oldest command
     */
    void decode() throws MalformedReplyException {
        while (replies.hasBytes()) {
            Exchange<?> first = queue.firstWritten();
            if (first == null) {
                throw new MalformedReplyException("bytes that no command in flight has requested");
            }
            if (!first.command.decode(replies, first.opaque())) {
                return;
            }
            List<MetaRelease> releases = first.command.releases();
            if (!releases.isEmpty()) {
                listener.release(releases);
            }
            queue.advance(first);
        }
    }
}
