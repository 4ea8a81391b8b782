// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.reuse;

import io.memshard.bench.lab.pool.Stormpot;
import io.netty.util.Recycler;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.jctools.queues.MpmcArrayQueue;

/** Sources of buffers of libraries, each loaded when it is opened. Threading: stateless. */
final class LibraryBuffers {
    private LibraryBuffers() {}

    /**
     * Opens Netty's recycler as shipped. Each thread has a separate recycler, and a buffer that another thread puts
     * back returns through a queue. The recycler keeps one new object of eight until it is warm.
     */
    static Buffers recycler(int size) {
        return new Recycled(new Recycler<>() {
            @Override
            protected Buffer newObject(Handle<Buffer> handle) {
                Buffer buffer = new Buffer(size);
                buffer.handle = handle;
                return buffer;
            }
        });
    }

    /** Commons Pool 2 with as many buffers as callers hold at most: a pool of connections used for objects. */
    static Buffers commonsPool(int size, int most) {
        GenericObjectPool<Buffer> pool = new GenericObjectPool<>(new BasePooledObjectFactory<>() {
            @Override
            public Buffer create() {
                return new Buffer(size);
            }

            @Override
            public PooledObject<Buffer> wrap(Buffer buffer) {
                return new DefaultPooledObject<>(buffer);
            }
        });
        pool.setMaxTotal(most);
        pool.setMaxIdle(most);
        return new Pooled(pool);
    }

    /** Returns the ring of JCTools for many producers and consumers. */
    static Buffers jctools(int size, int most) {
        return new JdkBuffers.Queued(size, new MpmcArrayQueue<>(most));
    }

    /** Returns a fixed pool of Stormpot with as many buffers as callers hold at most, so no caller waits. */
    static Buffers stormpot(int size, int most) throws ReflectiveOperationException {
        Object[] all = new Object[most];
        for (int i = 0; i < most; i++) {
            all[i] = new Buffer(size);
        }
        return new Claimed(Stormpot.of(all));
    }

    private record Recycled(Recycler<Buffer> recycler) implements Buffers {
        @Override
        public Buffer get() {
            return recycler.get();
        }

        @Override
        public void put(Buffer buffer) {
            if (buffer.handle instanceof Recycler.Handle<?> handle) {
                @SuppressWarnings("unchecked")
                Recycler.Handle<Buffer> own = (Recycler.Handle<Buffer>) handle;
                own.recycle(buffer);
            }
        }
    }

    private record Pooled(GenericObjectPool<Buffer> pool) implements Buffers {
        @Override
        public Buffer get() throws Exception {
            return pool.borrowObject();
        }

        @Override
        public void put(Buffer buffer) {
            pool.returnObject(buffer);
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    private record Claimed(Object pool) implements Buffers {
        @Override
        public Buffer get() throws Exception {
            Object claimed = Stormpot.claim(pool);
            Buffer buffer = (Buffer) Stormpot.object(claimed);
            buffer.handle = claimed;
            return buffer;
        }

        @Override
        public void put(Buffer buffer) {
            Object claimed = buffer.handle;
            if (claimed != null) {
                Stormpot.release(claimed);
            }
        }

        @Override
        public void close() throws Exception {
            Stormpot.close(pool);
        }
    }
}
