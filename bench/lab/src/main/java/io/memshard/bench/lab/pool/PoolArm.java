// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Hold;
import io.memshard.bench.lab.experiment.OpenedArm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A pool with its callers: each borrows an item, uses it, holds it and puts it back.
 *
 * @param <T> what the pool gives out
 */
// What is closed may throw anything, which javac warns of.
@SuppressWarnings("try")
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
     * Opens the pool.
     *
     * @param exclusive whether an item has one borrower at a time; an array of shared items promises none
     */
    static PoolArm<?> open(Pool.Opener opener, boolean exclusive, Condition condition) throws Exception {
        int max = condition.number(MAX, 0);
        if (max < 1) {
            throw new IllegalArgumentException("a condition of pool-cycle names max, at least 1: " + condition.label());
        }
        Items items = new Items();
        return new PoolArm<>(opener.open(max, items), items, exclusive, condition);
    }

    @Override
    public synchronized Cycle cycle(int caller) {
        Borrower borrower = new Borrower(Hold.of(condition));
        borrowers.add(borrower);
        return borrower;
    }

    /**
     * {@code items_made} above {@code max} means that items were destroyed and made anew. {@code lost_uses} above 0
     * means that two callers had one item at a time.
     */
    @Override
    public Map<String, Double> figures() {
        double held = borrowers.stream()
                .mapToDouble(borrower -> borrower.hold.meanMicros())
                .average()
                .orElse(0);
        if (!exclusive) {
            return Map.of("items_made", (double) items.made(), "hold_us", held);
        }
        long used = borrowers.stream().mapToLong(borrower -> borrower.uses).sum();
        return Map.of(
                "items_made", (double) items.made(), "lost_uses", (double) (used - items.uses()), "hold_us", held);
    }

    @Override
    public void close() throws Exception {
        pool.close();
    }

    /** One caller. */
    private final class Borrower implements Cycle {

        private final Hold hold;
        private long uses;

        Borrower(Hold hold) {
            this.hold = hold;
        }

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
}
