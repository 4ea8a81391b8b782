// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A few direct buffers for large batches, which the sockets of a client share. A socket has one only while it writes.
 * So a value is copied once, and no memory stays with each connection.
 *
 * <p>Threading: thread-safe.
 */
final class LargeBuffers {

    /** Length of a buffer: enough for the largest value of memcached by default, and a batch before it. */
    private static final int BUFFER_BYTES = 1280 * 1024;

    private final int most;
    private final BlockingQueue<ByteBuffer> idle;
    private final AtomicInteger made = new AtomicInteger();

    /** Allows at most this number of buffers, which are made when they are needed. */
    LargeBuffers(int most) {
        this.most = most;
        idle = new ArrayBlockingQueue<>(most);
    }

    /** Returns a buffer; null if all are in use, or there was no memory for one. */
    @Nullable
    ByteBuffer take() {
        ByteBuffer buffer = idle.poll();
        if (buffer != null || made.get() >= most || made.getAndIncrement() >= most) {
            return buffer;
        }
        try {
            return ByteBuffer.allocateDirect(BUFFER_BYTES);
        } catch (OutOfMemoryError e) {
            // No further attempt is made: each would collect garbage and wait first.
            made.set(most);
            return null;
        }
    }

    /** Takes a buffer back. */
    void give(ByteBuffer buffer) {
        idle.add(buffer);
    }
}
