// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Hold;
import io.memshard.bench.lab.experiment.OpenedArm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * Pool with its callers: each borrows an item, uses and holds it, and puts it back.
 *
 * @param <T> type of the borrowed objects
 */
final class PoolArm<T> implements OpenedArm {
    /** Parameter with the number of items. */
    static final String MAX = "max";

    private final Pool<T> pool;
    private final Items items;
    private final boolean exclusive;
    private final Condition condition;
    private final List<Borrower> borrowers = new ArrayList<>();

    private PoolArm(Pool<T> pool, Items items, boolean exclusive, Condition condition) {
        this.pool = pool;
        this.items = items;
        this.exclusive = exclusive;
        this.condition = condition;
    }

    /**
     * Opens the pool. Items are {@code exclusive} if each has one borrower at a time, unlike the items of a shared
     * array.
     */
    static PoolArm<?> open(Pool.Opener opener, boolean exclusive, Condition condition) throws Exception {
        int max = condition.number(MAX, 0);
        if (max < 1) {
            throw new IllegalArgumentException("pool-cycle requires max of at least 1: " + condition.label());
        }
        Items items = new Items();
        return new PoolArm<>(opener.open(max, items), items, exclusive, condition);
    }

    @Override
    public synchronized Cycle cycle(int caller) {
        Borrower borrower = new Borrower();
        borrowers.add(borrower);
        return borrower;
    }

    /**
     * Returns {@code hold_us}, {@code items_made} and {@code lost_uses}. More than {@code max} items are made if the
     * pool destroyed items. A use is lost if two callers had one item at the same time.
     */
    @Override
    public Map<String, Double> figures() {
        Map<String, Double> figures = new TreeMap<>();
        figures.put("items_made", (double) items.made.size());
        figures.put("hold_us", Hold.meanMicros(borrowers.stream().map(borrower -> borrower.hold)));
        if (exclusive) {
            long used = borrowers.stream().mapToLong(borrower -> borrower.uses).sum();
            long counted = items.made.stream().mapToLong(Item::uses).sum();
            figures.put("lost_uses", (double) (used - counted));
        }
        return figures;
    }

    @Override
    public void close() throws Exception {
        pool.close();
    }

    private final class Borrower implements Cycle {
        private final Hold hold = Hold.of(condition);
        private long uses;

        @Override
        public long run(long number) throws Exception {
            T borrowed = pool.borrow();
            long use;
            try {
                use = pool.item(borrowed).use();
                uses++;
                hold.hold();
            } finally {
                pool.giveBack(borrowed);
            }
            return use;
        }
    }

    /**
     * Pooled item. It counts its uses without synchronization, so uses are lost if two callers have it at the same
     * time.
     *
     * <p>The count is alone on its cache lines. Otherwise items made one after the other would share a line and slow
     * each other down.
     *
     * <p>Threading: confined to the borrower. A pool must make one borrower's writes visible to the next borrower.
     */
    static final class Item {
        private static final int LONGS = 48;
        private static final int MIDDLE = LONGS / 2;

        private final long[] padded = new long[LONGS];

        /** Uses the item once. Returns how often it has been used. */
        long use() {
            return ++padded[MIDDLE];
        }

        long uses() {
            return padded[MIDDLE];
        }
    }

    /**
     * Maker of a pool's items, which remembers all of them, since a pool may destroy idle items and make new ones.
     * Thread-safe.
     */
    static final class Items {
        private final Queue<Item> made = new ConcurrentLinkedQueue<>();

        Item make() {
            Item item = new Item();
            made.add(item);
            return item;
        }

        List<Item> make(int number) {
            return Stream.generate(this::make).limit(number).toList();
        }
    }
}
