// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import com.zaxxer.hikari.util.ConcurrentBag;
import com.zaxxer.hikari.util.ConcurrentBag.IConcurrentBagEntry;
import io.memshard.bench.lab.pool.PoolArm.Item;
import io.memshard.bench.lab.pool.PoolArm.Items;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bag of HikariCP. A borrow takes an item that the thread had last, else scans all items with compare-and-set, else
 * waits for a fair hand-over.
 */
final class HikariBag {

    private HikariBag() {}

    /**
     * Opens the bag as HikariCP uses it; it has no settings. All items exist from the start, so the bag never requests
     * one.
     */
    static Pool<Entry> open(int max, Items items) {
        ConcurrentBag<Entry> bag = new ConcurrentBag<>(waiting -> {});
        items.make(max).forEach(item -> bag.add(new Entry(item)));
        return Pool.of(() -> borrow(bag), entry -> entry.item, bag::requite, bag);
    }

    private static Entry borrow(ConcurrentBag<Entry> bag) throws InterruptedException {
        Entry entry = bag.borrow(30, TimeUnit.SECONDS);
        if (entry == null) {
            throw new IllegalStateException("the bag returned no item within 30 s");
        }
        return entry;
    }

    /** Item with the state that the bag keeps for it. */
    static final class Entry implements IConcurrentBagEntry {
        private final Item item;
        private final AtomicInteger state = new AtomicInteger(STATE_NOT_IN_USE);

        Entry(Item item) {
            this.item = item;
        }

        @Override
        public boolean compareAndSet(int expected, int next) {
            return state.compareAndSet(expected, next);
        }

        @Override
        public void setState(int next) {
            state.set(next);
        }

        @Override
        public int getState() {
            return state.get();
        }
    }
}
