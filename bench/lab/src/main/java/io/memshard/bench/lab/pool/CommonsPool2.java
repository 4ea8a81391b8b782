// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.function.Consumer;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** Commons Pool 2.0 to 2.13.1: one lock for both ends of its deque, taken three or four times a borrow and return. */
final class CommonsPool2 implements Pool<Item> {

    private final GenericObjectPool<Item> pool;

    private CommonsPool2(GenericObjectPool<Item> pool) {
        this.pool = pool;
    }

    /** As shipped, but that it keeps as many idle items as it may have: with 8 of them it would make items anew. */
    static CommonsPool2 open(int max, Items items) throws Exception {
        return open(max, items, config -> config.setMaxIdle(max));
    }

    /** As shipped: eight idle items at most. */
    static CommonsPool2 asShipped(int max, Items items) throws Exception {
        return open(max, items, config -> {});
    }

    /** Without bound of idle items: a return need not ask how many there are, which is one lock less. */
    static CommonsPool2 unlimitedIdle(int max, Items items) throws Exception {
        return open(max, items, config -> config.setMaxIdle(-1));
    }

    /** Without statistics: three monitors less. Since 2.13. */
    static CommonsPool2 withoutStatistics(int max, Items items) throws Exception {
        return open(max, items, config -> {
            config.setMaxIdle(max);
            config.setCollectDetailedStatistics(false);
        });
    }

    /** Callers get items in the order in which they asked. Since 2.3. */
    static CommonsPool2 fair(int max, Items items) throws Exception {
        return open(max, items, config -> {
            config.setMaxIdle(max);
            config.setFairness(true);
        });
    }

    /** The item that has been idle longest is borrowed first. */
    static CommonsPool2 fifo(int max, Items items) throws Exception {
        return open(max, items, config -> {
            config.setMaxIdle(max);
            config.setLifo(false);
        });
    }

    private static CommonsPool2 open(int max, Items items, Consumer<GenericObjectPoolConfig<Item>> settings)
            throws Exception {
        GenericObjectPoolConfig<Item> config = new GenericObjectPoolConfig<>();
        config.setMaxTotal(max);
        settings.accept(config);
        GenericObjectPool<Item> pool = new GenericObjectPool<>(new ItemFactory(items), config);
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
    public Item item(Item borrowed) {
        return borrowed;
    }

    @Override
    public void giveBack(Item borrowed) {
        pool.returnObject(borrowed);
    }

    @Override
    public void close() {
        pool.close();
    }

    private static final class ItemFactory extends BasePooledObjectFactory<Item> {

        private final Items items;

        ItemFactory(Items items) {
            this.items = items;
        }

        @Override
        public Item create() {
            return items.make();
        }

        @Override
        public PooledObject<Item> wrap(Item item) {
            return new DefaultPooledObject<>(item);
        }
    }
}
