// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import org.vibur.objectpool.ConcurrentPool;
import org.vibur.objectpool.PoolObjectFactory;
import org.vibur.objectpool.util.ConcurrentLinkedQueueCollection;

/** Vibur's object pool: a semaphore for the bound and a concurrent queue for the items. */
final class Vibur implements Pool<Item> {

    private final ConcurrentPool<Item> pool;

    private Vibur(ConcurrentPool<Item> pool) {
        this.pool = pool;
    }

    /** Callers in order, as its connection pool has it by default. */
    static Vibur fair(int max, Items items) {
        return open(max, items, true);
    }

    /** Callers may overtake. */
    static Vibur unfair(int max, Items items) {
        return open(max, items, false);
    }

    private static Vibur open(int max, Items items, boolean fair) {
        return new Vibur(
                new ConcurrentPool<>(new ConcurrentLinkedQueueCollection<>(), new ItemFactory(items), max, max, fair));
    }

    @Override
    public Item borrow() {
        return pool.takeUninterruptibly();
    }

    @Override
    public Item item(Item borrowed) {
        return borrowed;
    }

    @Override
    public void giveBack(Item borrowed) {
        pool.restore(borrowed);
    }

    @Override
    public void close() {
        pool.close();
    }

    private static final class ItemFactory implements PoolObjectFactory<Item> {

        private final Items items;

        ItemFactory(Items items) {
            this.items = items;
        }

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
