// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/**
 * Commons Pool 2.0 to 2.13.1: one lock for both ends of its deque, taken three or four times for a borrow and return.
 * Threading: stateless.
 */
public final class CommonsPool2 {

    private CommonsPool2() {}

    /**
     * Returns an empty pool that keeps up to {@code max} idle objects unless {@code settings} say otherwise. With the
     * default of 8 it would drop objects and make new ones.
     */
    public static <T> GenericObjectPool<T> open(
            int max, Callable<T> maker, Consumer<T> closer, Consumer<GenericObjectPoolConfig<T>> settings) {
        GenericObjectPoolConfig<T> config = new GenericObjectPoolConfig<>();
        config.setMaxTotal(max);
        config.setMaxIdle(max);
        settings.accept(config);
        return new GenericObjectPool<>(
                new BasePooledObjectFactory<>() {
                    @Override
                    public T create() throws Exception {
                        return maker.call();
                    }

                    @Override
                    public PooledObject<T> wrap(T made) {
                        return new DefaultPooledObject<>(made);
                    }

                    @Override
                    public void destroyObject(PooledObject<T> pooled) {
                        closer.accept(pooled.getObject());
                    }
                },
                config);
    }

    /** Adds {@code number} new objects to {@code pool} and returns it as a pool under test. */
    public static <T> Pool<T> filled(GenericObjectPool<T> pool, int number) throws Exception {
        for (int i = 0; i < number; i++) {
            pool.addObject();
        }
        // In 2.0 the pool does not implement AutoCloseable.
        return Pool.of(pool::borrowObject, pool::returnObject, () -> pool.close());
    }
}
