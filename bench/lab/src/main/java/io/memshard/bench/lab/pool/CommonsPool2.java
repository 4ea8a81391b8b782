// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.pool.PoolArm.Item;
import io.memshard.bench.lab.pool.PoolArm.Items;
import java.util.function.Consumer;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** Commons Pool 2.0 to 2.13.1: one lock for both ends of its deque, taken three or four times a borrow and return. */
record CommonsPool2(GenericObjectPool<Item> pool) implements Pool<Item> {
    /**
     * Returns a pool that keeps as many idle items as it may have unless {@code settings} say otherwise: with the
     * default of 8 it would make new ones.
     */
    static CommonsPool2 open(int max, Items items, Consumer<GenericObjectPoolConfig<Item>> settings) throws Exception {
        GenericObjectPoolConfig<Item> config = new GenericObjectPoolConfig<>();
        config.setMaxTotal(max);
        config.setMaxIdle(max);
        settings.accept(config);
        GenericObjectPool<Item> pool = new GenericObjectPool<>(
                new BasePooledObjectFactory<>() {
                    @Override
                    public Item create() {
                        return items.make();
                    }

                    @Override
                    public PooledObject<Item> wrap(Item item) {
                        return new DefaultPooledObject<>(item);
                    }
                },
                config);
        for (int i = 0; i < max; i++) {
            pool.addObject();
        }
        return new CommonsPool2(pool);
    }

    @Override
    public Item borrow() throws Exception {
        return pool.borrowObject();
    }

    @Override
    public void giveBack(Item borrowed) {
        pool.returnObject(borrowed);
    }

    @Override
    public void close() {
        pool.close();
    }
}
