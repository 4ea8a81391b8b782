// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.netty.util.Recycler;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jctools.queues.MpmcArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sources of buffers, of the JDK and of libraries, each of which is loaded when it is opened. They are caches, not
 * pools of connections: a source may make more buffers, and may drop those that it gets.
 */
final class Buffers {
    private static final int GOLDEN_RATIO = 0x9E3779B9;
    private static final int HALF = 16;

    private Buffers() {}

    /** Returns a number of the calling thread that is spread evenly, in place of the processor that Go pins to. */
    // Thread.threadId() does not exist before 19.
    @SuppressWarnings("deprecation")
    static int probe() {
        int spread = (int) Thread.currentThread().getId() * GOLDEN_RATIO;
        return spread ^ (spread >>> HALF);
    }

    /** Returns a source that makes a new buffer each time. The old one is left to the garbage collector. */
    static Pool<Buffer> fresh(int size) {
        return Pool.of(() -> new Buffer(size), buffer -> {}, () -> {});
    }

    /** Returns one queue, of any kind, that all threads share. A buffer that does not fit is dropped. */
    static Pool<Buffer> queued(int size, Queue<Buffer> idle) {
        return Pool.of(() -> orNew(idle.poll(), size), idle::offer, () -> {});
    }

    /** Returns {@code found}, or a new buffer of {@code size} bytes if that is null. */
    static Buffer orNew(@Nullable Buffer found, int size) {
        return found == null ? new Buffer(size) : found;
    }

    /**
     * Opens Netty's recycler as shipped. Each thread has a separate recycler, and a buffer that another thread puts
     * back returns through a queue. The recycler keeps one new object of eight until it is warm.
     */
    static Pool<Buffer> recycler(int size) {
        Recycler<Buffer> recycler = new Recycler<>() {
            @Override
            protected Buffer newObject(Handle<Buffer> handle) {
                Buffer buffer = new Buffer(size);
                buffer.handle = handle;
                return buffer;
            }
        };
        return Pool.of(recycler::get, Buffers::recycle, () -> {});
    }

    private static void recycle(Buffer buffer) {
        if (buffer.handle instanceof Recycler.Handle<?> handle) {
            @SuppressWarnings("unchecked")
            Recycler.Handle<Buffer> own = (Recycler.Handle<Buffer>) handle;
            own.recycle(buffer);
        }
    }

    /** Commons Pool 2 with as many buffers as callers hold at most: a pool of connections used for objects. */
    static Pool<Buffer> commonsPool(int size, int most) throws Exception {
        return CommonsPool2.filled(CommonsPool2.open(most, () -> new Buffer(size), buffer -> {}, config -> {}), 0);
    }

    /** Returns the ring of JCTools for many producers and consumers. */
    static Pool<Buffer> jctools(int size, int most) {
        return queued(size, new MpmcArrayQueue<>(most));
    }

    /** Returns a fixed pool of Stormpot with as many buffers as callers hold at most, so no caller waits. */
    static Pool<Buffer> stormpot(int size, int most) throws ReflectiveOperationException {
        Object[] all = new Object[most];
        for (int i = 0; i < most; i++) {
            all[i] = new Buffer(size);
        }
        Object pool = Stormpot.of(all);
        return Pool.of(() -> claimed(pool), Buffers::release, () -> Stormpot.close(pool));
    }

    private static Buffer claimed(Object pool) throws Exception {
        Object claimed = Stormpot.claim(pool);
        Buffer buffer = (Buffer) Stormpot.object(claimed);
        buffer.handle = claimed;
        return buffer;
    }

    private static void release(Buffer buffer) {
        Object claimed = buffer.handle;
        if (claimed != null) {
            Stormpot.release(claimed);
        }
    }

    /** Stack of each thread. A buffer stays with the thread that puts it back. */
    static final class OfThread implements Pool<Buffer> {
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
     * Deques, each under its monitor; a thread uses the deque of its number. With one deque this is a shared pool with
     * one lock, with more a pool with sharded locks.
     */
    static final class Locked implements Pool<Buffer> {
        private final int size;
        private final int most;
        private final Shard[] shards;

        /** Creates {@code number} empty deques, a power of two, of {@code most} buffers each. */
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
