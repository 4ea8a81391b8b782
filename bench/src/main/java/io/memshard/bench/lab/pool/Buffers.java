// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Sources of buffers. They are caches, not pools of connections: a source may make more buffers, and may drop buffers
 * that it gets back.
 */
final class Buffers {
    private static final int GOLDEN_RATIO = 0x9E3779B9;
    private static final int HALF = 16;

    private Buffers() {}

    /**
     * Returns a hash of the calling thread, evenly distributed. It replaces the processor number that Go's pool uses.
     */
    // Thread.threadId() does not exist before JDK 19.
    @SuppressWarnings("deprecation")
    static int probe() {
        int spread = (int) Thread.currentThread().getId() * GOLDEN_RATIO;
        return spread ^ (spread >>> HALF);
    }

    /** Returns a source that makes a new buffer each time, and leaves used buffers to the garbage collector. */
    static Pool<Buffer> fresh(int size) {
        return Pool.of(() -> new Buffer(size), buffer -> {}, () -> {});
    }

    /** Returns a source over {@code idle}, a queue that all threads share. A buffer that does not fit is dropped. */
    static Pool<Buffer> queued(int size, Queue<Buffer> idle) {
        return Pool.of(() -> orNew(idle.poll(), size), idle::offer, () -> {});
    }

    /** Returns {@code found}, or a new buffer of {@code size} bytes if {@code found} is null. */
    static Buffer orNew(@Nullable Buffer found, int size) {
        return found == null ? new Buffer(size) : found;
    }

    /** Source with one stack for each thread. A buffer stays with the thread that puts it back. */
    static final class OfThread implements Pool<Buffer> {
        /**
         * Maximum number of buffers in the stack of a thread, more than a caller holds at a time. Further buffers are
         * dropped.
         */
        private static final int MOST = 16;

        private final int size;
        private final ThreadLocal<ArrayDeque<Buffer>> own = ThreadLocal.withInitial(() -> new ArrayDeque<>(MOST));

        OfThread(int size) {
            this.size = size;
        }

        @Override
        public Buffer borrow() {
            return orNew(own.get().pollFirst(), size);
        }

        @Override
        public void giveBack(Buffer buffer) {
            ArrayDeque<Buffer> stack = own.get();
            if (stack.size() < MOST) {
                stack.addFirst(buffer);
            }
        }
    }

    /**
     * Source with deques, each guarded by its monitor; the thread's {@link Buffers#probe} selects its deque. One deque
     * is a shared pool with one lock; several deques are a pool with sharded locks.
     */
    static final class Locked implements Pool<Buffer> {
        private final int size;
        private final int most;
        private final Shard[] shards;

        /**
         * Creates {@code number} empty deques for up to {@code most} buffers each. The number must be a power of two.
         */
        Locked(int size, int number, int most) {
            this.size = size;
            this.most = most;
            shards = new Shard[number];
            for (int i = 0; i < number; i++) {
                shards[i] = new Shard();
            }
        }

        private Shard own() {
            return shards[probe() & (shards.length - 1)];
        }

        @Override
        public Buffer borrow() {
            Shard shard = own();
            Buffer found;
            synchronized (shard) {
                found = shard.idle.pollFirst();
            }
            return orNew(found, size);
        }

        @Override
        public void giveBack(Buffer buffer) {
            Shard shard = own();
            synchronized (shard) {
                if (shard.idle.size() < most) {
                    shard.idle.addFirst(buffer);
                }
            }
        }

        private static final class Shard {
            private final ArrayDeque<Buffer> idle = new ArrayDeque<>();
        }
    }
}
