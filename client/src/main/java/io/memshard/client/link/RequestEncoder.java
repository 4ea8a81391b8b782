// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.protocol.RequestBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Encodes queued commands into one buffer, a batch at a time, and numbers them.
 *
 * <p>Threading: confined to the link's writer.
 */
final class RequestEncoder {

    /** A batch ends with the command that makes it at least this long. */
    private static final int BATCH_BYTES = 64 * 1024;

    /** Opaques run through a range far wider than a link has commands in flight, and stay short. */
    private static final int OPAQUE_MASK = 0xFFFFF;

    private final ExchangeQueue queue;
    private final RequestBuffer requests;

    private int lastOpaque;

    /** How many bytes of what was in flight the skipped commands of the last batch were. */
    private long skippedBytes;

    /** An encoder of what is queued, into an empty buffer of its own. */
    RequestEncoder(ExchangeQueue queue, RequestBuffer requests) {
        this.queue = queue;
        this.requests = requests;
    }

    /**
     * Replaces the buffer's content by the next batch.
     *
     * @return how many commands were skipped, because they had ended before they could be sent
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

    /** The {@link Exchange#bytes} of those skipped by the last {@link #encodeBatch}. */
    long skippedBytes() {
        return skippedBytes;
    }
}
