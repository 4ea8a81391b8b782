// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.protocol.MalformedReplyException;
import io.memshard.client.protocol.MetaRelease;
import io.memshard.client.protocol.ReplyBuffer;
import java.util.List;

/**
 * Matches the bytes read from a link with its commands in flight, in order.
 *
 * <p>Decoding and completing are two steps, so that a link can bring its counts up to date before the first caller
 * wakes up and sends its next command.
 *
 * <p>Threading: confined to the link's reader.
 */
final class ReplyDecoder {

    private final ExchangeQueue queue;
    private final ReplyBuffer replies;
    private final Link.Listener listener;

    /** A decoder of what is put into {@code replies} before {@link #decode}. */
    ReplyDecoder(ExchangeQueue queue, ReplyBuffer replies, Link.Listener listener) {
        this.queue = queue;
        this.replies = replies;
        this.listener = listener;
    }

    /**
     * Decodes every reply that is there whole. The caller then completes what the queue has as decoded, also after an
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
            List<MetaRelease> releases = first.command.releases();
            if (!releases.isEmpty()) {
                listener.release(releases);
            }
            queue.advance(first);
        }
    }
}
