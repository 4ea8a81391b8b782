// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.reuse;

import io.netty.util.Recycler;

/**
 * Netty's recycler as shipped: each thread has its own, and what another thread puts comes back through a queue. It
 * keeps one new object of eight until it is warm.
 */
final class RecycledBuffers implements Buffers {

    private final Recycler<Buffer> recycler;

    RecycledBuffers(int size) {
        recycler = new Recycler<>() {
            @Override
            protected Buffer newObject(Handle<Buffer> handle) {
                Buffer buffer = new Buffer(size);
                buffer.handle(handle);
                return buffer;
            }
        };
    }

    @Override
    public Buffer get() {
        return recycler.get();
    }

    @Override
    public void put(Buffer buffer) {
        if (buffer.handle() instanceof Recycler.Handle<?> handle) {
            @SuppressWarnings("unchecked")
            Recycler.Handle<Buffer> own = (Recycler.Handle<Buffer>) handle;
            own.recycle(buffer);
        }
    }
}
