// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Direct buffers for large batches, which the sockets of a client share. A large value is copied only once, into such a
 * buffer. A socket has a buffer only while it writes, so no connection keeps one.
 *
 * <p>Threading: thread-safe.
 */
final class LargeBuffers {

    /**
     * Length of a buffer: enough for the largest value that memcached stores by default, and a batch of commands before
     * it.
     */
    private static final int BUFFER_BYTES = 1280 * 1024;

    private final int most;
    private final BlockingQueue<ByteBuffer> idle;
    private final AtomicInteger made = new AtomicInteger();

    /** Creates an instance with at most {@code most} buffers, which are allocated when they are needed. */
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
            // No further attempt is made, because each would first run the garbage collector and wait.
            made.set(most);
            return null;
        }
    }

    /** Takes a buffer back. */
    void give(ByteBuffer buffer) {
        idle.add(buffer);
    }
}
