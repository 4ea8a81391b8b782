// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.reuse;

import java.util.ArrayDeque;
import java.util.Queue;

/** Sources of buffers without a library. */
final class JdkBuffers {
    private static final int GOLDEN_RATIO = 0x9E3779B9;
    private static final int HALF = 16;

    private JdkBuffers() {}

    /** Returns a number of the calling thread that is spread evenly, in place of the processor that Go pins to. */
    // Thread.threadId() does not exist before 19.
    @SuppressWarnings("deprecation")
    static int probe() {
        int spread = (int) Thread.currentThread().getId() * GOLDEN_RATIO;
        return spread ^ (spread >>> HALF);
    }

    /** Makes a new buffer each time and leaves the old one to the garbage collector. */
    record New(int size) implements Buffers {
        @Override
        public Buffer get() {
            return new Buffer(size);
        }

        @Override
        public void put(Buffer buffer) {
            // The collector finds it.
        }
    }

    /** One queue, of any kind, that all threads share. A buffer that does not fit is dropped. */
    record Queued(int size, Queue<Buffer> idle) implements Buffers {
        @Override
        public Buffer get() {
            return Buffers.orNew(idle.poll(), size);
        }

        @Override
        public void put(Buffer buffer) {
            idle.offer(buffer);
        }
    }

    /** Stack of each thread. A buffer stays with the thread that puts it back. */
    static final class OfThread implements Buffers {
        /**
         * Maximum number of buffers in the stack of a thread. It is above the number that a caller holds at a time;
         * further buffers are dropped.
         */
        private static final int MOST = 16;

        private final int size;
        private final ThreadLocal<ArrayDeque<Buffer>> own = ThreadLocal.withInitial(() -> new ArrayDeque<>(MOST));

        OfThread(int size) {
            this.size = size;
        }

        @Override
        public Buffer get() {
            return Buffers.orNew(own.get().pollFirst(), size);
        }

        @Override
        public void put(Buffer buffer) {
            ArrayDeque<Buffer> stack = own.get();
            if (stack.size() < MOST) {
                stack.addFirst(buffer);
            }
        }
    }

    /**
     * Deques, each under its monitor; a thread uses the deque of its number. With one deque this is a shared pool with
     * one lock, with more a pool with sharded locks.
     */
    static final class Locked implements Buffers {
        private final int size;
        private final int most;
        private final Shard[] shards;

        /**
         * Creates empty deques.
         *
         * @param number of shards, a power of two
         * @param most buffers in a shard
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
        public Buffer get() {
            Shard shard = own();
            Buffer found;
            synchronized (shard) {
                found = shard.idle.pollFirst();
            }
            return Buffers.orNew(found, size);
        }

        @Override
        public void put(Buffer buffer) {
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
