// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Direct buffers for large batches, shared by the sockets of a client. Threading: thread-safe. */
final class LargeBuffers {

    /** Room for the largest value that memcached stores by default, and for some commands before it. */
    private static final int BUFFER_BYTES = 1280 * 1024;

    private final int most;
    private final BlockingQueue<ByteBuffer> idle;
    private final AtomicInteger made = new AtomicInteger();

    LargeBuffers(int most) {
        this.most = most;
        idle = new ArrayBlockingQueue<>(most);
    }

    @Nullable
    ByteBuffer take() {
        ByteBuffer buffer = idle.poll();
        if (buffer != null || made.get() >= most || made.getAndIncrement() >= most) {
            return buffer;
        }
        try {
            return ByteBuffer.allocateDirect(BUFFER_BYTES);
        } catch (OutOfMemoryError e) {
            // Each further attempt would first wait for the garbage collector.
            made.set(most);
            return null;
        }
    }

    void give(ByteBuffer buffer) {
        idle.add(buffer);
    }
}
