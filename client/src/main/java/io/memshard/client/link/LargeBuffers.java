// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A few direct buffers for large batches, which all sockets of the JVM share. A socket has one only while it writes, so
 * that a value is copied once and no memory stays with each connection.
 *
 * <p>Threading: thread-safe.
 */
final class LargeBuffers {

    /** Length of a buffer: enough for the largest value of memcached by default, and a batch before it. */
    private static final int BUFFER_BYTES = 1280 * 1024;

    private static final int MOST = Math.min(8, Runtime.getRuntime().availableProcessors());

    private static final BlockingQueue<ByteBuffer> IDLE = new ArrayBlockingQueue<>(MOST);
    private static final AtomicInteger MADE = new AtomicInteger();

    private LargeBuffers() {}

    /** Returns a buffer; null if all are in use, or there is no memory for one. */
    static @Nullable ByteBuffer take() {
        ByteBuffer idle = IDLE.poll();
        if (idle != null || MADE.get() >= MOST || MADE.getAndIncrement() >= MOST) {
            return idle;
        }
        try {
            return ByteBuffer.allocateDirect(BUFFER_BYTES);
        } catch (OutOfMemoryError e) {
            // No further attempt is made: each would collect garbage first.
            return null;
        }
    }

    /** Takes a buffer back. */
    static void give(ByteBuffer buffer) {
        IDLE.add(buffer);
    }
}
