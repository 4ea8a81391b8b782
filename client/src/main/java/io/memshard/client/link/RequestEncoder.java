// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.protocol.wire.RequestBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Encodes queued commands into one buffer, a batch at a time, and numbers them.
 *
 * <p>Threading: confined to the link's writer.
 */
final class RequestEncoder {

    /** Length of a batch: the command that reaches it ends the batch. */
    private static final int BATCH_BYTES = 64 * 1024;

    /** Mask of opaques, whose range is far wider than the number of commands in flight on a link, but short in text. */
    private static final int OPAQUE_MASK = 0xFFFFF;

    private final ExchangeQueue queue;
    private final RequestBuffer requests;

    private int lastOpaque;

    /** Bytes in flight of the commands skipped in the last batch. */
    private long skippedBytes;

    /** Creates an encoder of queued commands into an empty buffer, which only this encoder writes. */
    RequestEncoder(ExchangeQueue queue, RequestBuffer requests) {
        this.queue = queue;
        this.requests = requests;
    }

    /**
     * Replaces the buffer's content with the next batch.
     *
     * @return the number of commands skipped because they had ended before they could be sent
     */
    int encodeBatch() {
        requests.clear();
        int skipped = 0;
        skippedBytes = 0;
        while (requests.length() < BATCH_BYTES) {
            @Nullable Exchange<?> exchange = queue.nextToWrite();
            if (exchange == null) {
                break;
            }
            int opaque = (lastOpaque + 1) & OPAQUE_MASK;
            if (exchange.startWriting(opaque)) {
                lastOpaque = opaque;
                exchange.command.encode(requests, opaque);
                requests.endRequest();
            } else {
                exchange.skip();
                skipped++;
                skippedBytes += exchange.bytes;
            }
        }
        return skipped;
    }

    /** Returns the {@link Exchange#bytes} of commands skipped by the last {@link #encodeBatch}. */
    long skippedBytes() {
        return skippedBytes;
    }
}
