// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/** The simplest pool without a lock: a permit an item, and a queue that never blocks. */
final class SemaphoreQueue implements Pool<Item> {

    private final Semaphore permits;
    private final Queue<Item> idle = new ConcurrentLinkedQueue<>();

    private SemaphoreQueue(int max, boolean fair) {
        permits = new Semaphore(max, fair);
    }

    /** Callers may overtake, as a semaphore has it by default. */
    static SemaphoreQueue unfair(int max, Items items) {
        return open(max, items, false);
    }

    /** Callers in order. */
    static SemaphoreQueue fair(int max, Items items) {
        return open(max, items, true);
    }

    private static SemaphoreQueue open(int max, Items items, boolean fair) {
        SemaphoreQueue pool = new SemaphoreQueue(max, fair);
        for (int i = 0; i < max; i++) {
            pool.idle.add(items.make());
        }
        return pool;
    }

    @Override
    public Item borrow() throws InterruptedException {
        permits.acquire();
        Item item = idle.poll();
        if (item == null) {
            throw new IllegalStateException("a permit without an item");
        }
        return item;
    }

    @Override
    public Item item(Item borrowed) {
        return borrowed;
    }

    @Override
    public void giveBack(Item borrowed) {
        idle.add(borrowed);
        permits.release();
    }

    @Override
    public void close() {
        idle.clear();
    }
}
