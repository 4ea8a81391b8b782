// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.reuse;

import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;

/** Commons Pool 2 with as many buffers as callers hold at most: a pool of connections used for objects. */
final class CommonsPoolBuffers implements Buffers {

    private final GenericObjectPool<Buffer> pool;

    CommonsPoolBuffers(int size, int most) {
        pool = new GenericObjectPool<>(new BasePooledObjectFactory<>() {
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
    }

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
