// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.protocol.wire.RequestBuffer;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Commands that a link's writer sends together. Threading: confined to the link's writer.
 *
 * <p>Memory effects: a caller that gives up waiting may change the array of its value, but no changed byte may be sent.
 * The writer copies the batch, passes an acquire fence, and then reads each outcome. A caller reads its outcome, passes
 * the release fence of {@link Exchange#result}, and then changes its array. A writer that has copied a changed byte
 * therefore sees the caller's outcome. It then discards the copy, and encodes the other commands again.
 */
final class Batch {

    private static final int BYTES = 64 * 1024;

    /** Mask of opaques, which allows twice as many opaques as commands in flight on a link. */
    private static final int OPAQUE_MASK = 0xFFFFF;

    final RequestBuffer requests;

    private final ExchangeQueue queue;
    private final Consumer<Exchange<?>> skipped;

    private int lastOpaque;
    private @Nullable Exchange<?> first;

    Batch(RequestBuffer requests, ExchangeQueue queue, Consumer<Exchange<?>> skipped) {
        this.requests = requests;
        this.queue = queue;
        this.skipped = skipped;
    }

    boolean encode() {
        requests.clear();
        first = null;
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
                encode(exchange);
            } else {
                exchange.skip();
                skipped.accept(exchange);
            }
        }
        return !isEmpty;
    }

    private void encode(Exchange<?> exchange) {
        if (first == null) {
            first = exchange;
        }
        exchange.command.encode(requests, exchange.opaque());
        requests.endRequest();
    }

    /** Returns whether the copy may be sent. If not, {@link #requests} has the commands that are still to be sent. */
    boolean isWhole() {
        VarHandle.acquireFence();
        for (Exchange<?> e = first; e != null; e = queue.nextPassed(e)) {
            if (e.isOver() && e.isWritten()) {
                encodeAgain(first);
                return false;
            }
        }
        first = null;
        return true;
    }

    private void encodeAgain(@Nullable Exchange<?> from) {
        requests.clear();
        first = null;
        List<Exchange<?>> ended = new ArrayList<>();
        for (Exchange<?> e = from; e != null; e = queue.nextPassed(e)) {
            if (e.isWritten() && e.isOver()) {
                ended.add(e);
            } else if (e.isWritten()) {
                encode(e);
            }
        }
        // Last, because the reader removes skipped exchanges, and a removed exchange has no next one.
        ended.forEach(Exchange::skip);
        ended.forEach(skipped);
    }
}
