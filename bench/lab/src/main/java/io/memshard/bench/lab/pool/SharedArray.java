// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;

/**
 * An array of items that callers share: nothing is taken out, so nothing is put back and nobody waits. This is the
 * remedy of the article; it suits items that many threads may use at a time.
 */
final class SharedArray implements Pool<Item> {

    private final Item[] items;
    private final IntUnaryOperator chooser;

    private SharedArray(int max, Items made, IntUnaryOperator chooser) {
        items = new Item[max];
        for (int i = 0; i < max; i++) {
            items[i] = made.make();
        }
        this.chooser = chooser;
    }

    /** Each item in its turn, by one counter of all callers. */
    static SharedArray roundRobin(int max, Items made) {
        AtomicInteger next = new AtomicInteger();
        return new SharedArray(max, made, length -> (next.getAndIncrement() & Integer.MAX_VALUE) % length);
    }

    /** The item at {@code threadId % max}. */
    static SharedArray byThreadId(int max, Items made) {
        return new SharedArray(max, made, SharedArray::threadIdModulo);
    }

    // Thread.threadId() is not there before 19.
    @SuppressWarnings("deprecation")
    private static int threadIdModulo(int length) {
        return (int) (Thread.currentThread().getId() % length);
    }

    @Override
    public Item borrow() {
        return items[chooser.applyAsInt(items.length)];
    }

    @Override
    public Item item(Item borrowed) {
        return borrowed;
    }

    @Override
    public void giveBack(Item borrowed) {
        // Nobody took it out.
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
