// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.function.Consumer;

/**
 * Commands that a link's writer encodes and sends together.
 *
 * <p>Threading: confined to the link's writer.
 */
final class Batch {

    /** Length of a batch: the command that reaches it ends the batch. */
    private static final int BYTES = 64 * 1024;

    /** Mask of opaques: twice the largest number of commands in flight on a link, and short in text. */
    private static final int OPAQUE_MASK = 0xFFFFF;

    /** Commands that {@link #encode} has encoded last. */
    final RequestBuffer requests;

    private final ExchangeQueue queue;
    private final Consumer<Exchange<?>> skipped;

    /** Opaque of the command encoded last. */
    private int lastOpaque;

    /**
     * Creates an empty batch.
     *
     * @param skipped called for each command that is skipped
     */
    Batch(RequestBuffer requests, ExchangeQueue queue, Consumer<Exchange<?>> skipped) {
        this.requests = requests;
        this.queue = queue;
        this.skipped = skipped;
    }

    /**
     * Replaces {@link #requests} with the next commands, and numbers them. Skips commands that have ended before they
     * could be sent. Returns false if nothing is queued.
     */
    boolean encode() {
        requests.clear();
        boolean isEmpty = true;
        while (requests.length() < BYTES) {
            Exchange<?> exchange = queue.nextToWrite();
            if (exchange == null) {
                break;
            }
            isEmpty = false;
            int opaque = (lastOpaque + 1) & OPAQUE_MASK;
            if (exchange.startWriting(opaque)) {
                lastOpaque = opaque;
                exchange.command.encode(requests, opaque);
                requests.endRequest();
            } else {
                exchange.skip();
                skipped.accept(exchange);
            }
        }
        return !isEmpty;
    }
}
