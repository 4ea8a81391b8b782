// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.reuse;

import io.memshard.bench.lab.pool.StormpotCalls;

/** A fixed pool of Stormpot with as many buffers as callers hold at most, so nobody waits. */
final class StormpotBuffers implements Buffers {

    private final Object pool;

    private StormpotBuffers(Object pool) {
        this.pool = pool;
    }

    static StormpotBuffers open(int size, int most) throws ReflectiveOperationException {
        Object[] all = new Object[most];
        for (int i = 0; i < most; i++) {
            all[i] = new Buffer(size);
        }
        return new StormpotBuffers(StormpotCalls.open(all));
    }

    @Override
    public Buffer get() throws Exception {
        Object claimed = StormpotCalls.claim(pool);
        Buffer buffer = (Buffer) StormpotCalls.object(claimed);
        buffer.handle(claimed);
        return buffer;
    }

    @Override
    public void put(Buffer buffer) {
        Object claimed = buffer.handle();
        if (claimed != null) {
            StormpotCalls.release(claimed);
        }
    }

    @Override
    public void close() throws Exception {
        StormpotCalls.close(pool);
    }
}
