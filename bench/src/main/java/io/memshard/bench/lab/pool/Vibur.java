// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.pool.PoolArm.Item;
import io.memshard.bench.lab.pool.PoolArm.Items;
import org.vibur.objectpool.ConcurrentPool;
import org.vibur.objectpool.PoolObjectFactory;
import org.vibur.objectpool.util.ConcurrentLinkedQueueCollection;

/** Vibur's object pool: a semaphore for the bound and a concurrent queue for the items. */
final class Vibur {

    private Vibur() {}

    /** Opens a pool that serves callers in order if {@code fair}, the default of Vibur's connection pool. */
    static Pool<Item> open(int max, Items items, boolean fair) {
        ConcurrentPool<Item> pool =
                new ConcurrentPool<>(new ConcurrentLinkedQueueCollection<>(), new ItemFactory(items), max, max, fair);
        return Pool.of(pool::takeUninterruptibly, pool::restore, pool);
    }

    private record ItemFactory(Items items) implements PoolObjectFactory<Item> {
        @Override
        public Item create() {
            return items.make();
        }

        @Override
        public boolean readyToTake(Item item) {
            return true;
        }

        @Override
        public boolean readyToRestore(Item item) {
            return true;
        }

        @Override
        public void destroy(Item item) {
            // An item has nothing to close.
        }
    }
}
