// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Hold;
import io.memshard.bench.lab.experiment.OpenedArm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Pool from which each caller borrows an object, uses it, and puts it back. */
public final class PoolArm<T> implements OpenedArm {
    /** Number of uses that were not counted, because two callers used one object at once. */
    public static final String LOST_USES = "lost_uses";

    private final Pool<T> pool;
    private final Use<T> use;
    private final Condition condition;
    private final LongFunction<Map<String, Double>> figures;
    private final List<Borrower> borrowers = new ArrayList<>();

    @FunctionalInterface
    public interface Use<T> {
        long use(T borrowed, long number) throws Exception;
    }

    public PoolArm(Pool<T> pool, Use<T> use, Condition condition, LongFunction<Map<String, Double>> figures) {
        this.pool = pool;
        this.use = use;
        this.condition = condition;
        this.figures = figures;
    }

    @Override
    public synchronized Cycle cycle(int caller) {
        Borrower borrower = new Borrower();
        borrowers.add(borrower);
        return borrower;
    }

    @Override
    public Map<String, Double> figures() {
        long uses = borrowers.stream().mapToLong(borrower -> borrower.uses).sum();
        Map<String, Double> all = new TreeMap<>(figures.apply(uses));
        all.put("hold_us", Hold.meanMicros(borrowers.stream().map(borrower -> borrower.hold)));
        return all;
    }

    @Override
    public void close() throws Exception {
        pool.close();
    }

    private final class Borrower implements Cycle {
        private final Hold hold = Hold.of(condition);
        private long uses;

        /** Last object. Without this field, the compiler would remove the allocation of a new object. */
        @SuppressWarnings("UnusedVariable")
        private @Nullable T last;

        @Override
        public long run(long number) throws Exception {
            T borrowed = pool.borrow();
            last = borrowed;
            try {
                long result = use.use(borrowed, number);
                uses++;
                hold.hold();
                return result;
            } finally {
                pool.giveBack(borrowed);
            }
        }
    }
}
