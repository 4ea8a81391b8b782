// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import com.zaxxer.hikari.util.ConcurrentBag;
import com.zaxxer.hikari.util.ConcurrentBag.IConcurrentBagEntry;
import io.memshard.bench.lab.pool.PoolArm.Item;
import io.memshard.bench.lab.pool.PoolArm.Items;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bag of HikariCP. It returns what the thread had last, else scans with compare-and-set, else waits for a fair
 * hand-over.
 */
record HikariBag(ConcurrentBag<Entry> bag) implements Pool<HikariBag.Entry> {
    /** Opens the bag as HikariCP uses it; it has no settings. All items exist, so none is requested. */
    static HikariBag open(int max, Items items) {
        ConcurrentBag<Entry> bag = new ConcurrentBag<>(waiting -> {});
        items.make(max).forEach(item -> bag.add(new Entry(item)));
        return new HikariBag(bag);
    }

    @Override
    public Entry borrow() throws InterruptedException {
        Entry entry = bag.borrow(30, TimeUnit.SECONDS);
        if (entry == null) {
            throw new IllegalStateException("no item within 30 s");
        }
        return entry;
    }

    @Override
    public Item item(Entry borrowed) {
        return borrowed.item;
    }

    @Override
    public void giveBack(Entry borrowed) {
        bag.requite(borrowed);
    }

    @Override
    public void close() {
        bag.close();
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
