// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.reuse;

import io.memshard.bench.lab.pool.CommonsPool2;
import io.memshard.bench.lab.pool.Pool;
import io.memshard.bench.lab.pool.Stormpot;
import io.netty.util.Recycler;
import org.jctools.queues.MpmcArrayQueue;

/** Sources of buffers of libraries, each loaded when it is opened. Threading: stateless. */
final class LibraryBuffers {
    private LibraryBuffers() {}

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
        return Pool.of(recycler::get, LibraryBuffers::recycle, () -> {});
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
        return JdkBuffers.queued(size, new MpmcArrayQueue<>(most));
    }

    /** Returns a fixed pool of Stormpot with as many buffers as callers hold at most, so no caller waits. */
    static Pool<Buffer> stormpot(int size, int most) throws ReflectiveOperationException {
        Object[] all = new Object[most];
        for (int i = 0; i < most; i++) {
            all[i] = new Buffer(size);
        }
        Object pool = Stormpot.of(all);
        return Pool.of(() -> claimed(pool), LibraryBuffers::release, () -> Stormpot.close(pool));
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
}
