// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.pool.PoolArm.Item;
import io.memshard.bench.lab.pool.PoolArm.Items;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** Pools without a library. Threading: stateless. */
public final class JdkPools {
    private JdkPools() {}

    /** Returns a pool that is just the JDK's deque: two acquisitions of one lock for a borrow and return. */
    static Pool<Item> deque(int max, Items items) {
        return new BareDeque(new LinkedBlockingDeque<>(items.make(max)));
    }

    /** Returns the simplest pool without a lock. Callers may overtake one another unless {@code fair}. */
    static Pool<Item> semaphore(int max, Items items, boolean fair) {
        return semaphore(max, new ConcurrentLinkedQueue<>(items.make(max)), fair);
    }

    /** Returns the simplest pool without a lock, over {@code idle}, which holds the {@code max} items. */
    public static <T> Pool<T> semaphore(int max, Queue<T> idle, boolean fair) {
        return new SemaphoreQueue<>(new Semaphore(max, fair), idle);
    }

    /** Returns a pool over an array that gives out its items in turn, by one counter that all callers share. */
    static Pool<Item> roundRobin(int max, Items items) {
        AtomicInteger next = new AtomicInteger();
        return shared(max, items, () -> (next.getAndIncrement() & Integer.MAX_VALUE) % max);
    }

    /** Returns a pool over an array that gives each thread the item at {@code threadId % max}. */
    static Pool<Item> byThreadId(int max, Items items) {
        return shared(max, items, () -> threadIdModulo(max));
    }

    /**
     * Returns a pool over an array of items that callers share: no item is taken out, so none is put back and no caller
     * waits. The article recommends such an array as the remedy, for items that many threads may use at the same time.
     */
    private static Pool<Item> shared(int max, Items items, IntSupplier chooser) {
        Item[] array = items.make(max).toArray(Item[]::new);
        return Pool.of(() -> array[chooser.getAsInt()], item -> {}, () -> {});
    }

    // Thread.threadId() does not exist before JDK 19.
    @SuppressWarnings("deprecation")
    private static int threadIdModulo(int length) {
        return (int) (Thread.currentThread().getId() % length);
    }

    private record BareDeque(LinkedBlockingDeque<Item> idle) implements Pool<Item> {
        @Override
        public Item borrow() throws InterruptedException {
            return idle.takeFirst();
        }

        @Override
        public void giveBack(Item borrowed) {
            idle.addFirst(borrowed);
        }
    }

    /** Pool over a queue that never blocks, with a semaphore that has one permit for each item. */
    private record SemaphoreQueue<T>(Semaphore permits, Queue<T> idle) implements Pool<T> {
        @Override
        public T borrow() throws InterruptedException {
            permits.acquire();
            T item = idle.poll();
            if (item == null) {
                throw new IllegalStateException("the queue has no item for a permit");
            }
            return item;
        }

        @Override
        public void giveBack(T borrowed) {
            idle.add(borrowed);
            permits.release();
        }
    }
}
