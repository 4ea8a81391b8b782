// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.PooledObjectFactory;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** Commons Pool 2, and pools made of classes of the JDK. Threading: stateless. */
public final class Pools {
    private Pools() {}

    /**
     * Opens a Commons Pool 2 of {@code objects}, all of which are in the pool before the first borrow. It keeps all of
     * them, unlike the default of 8 idle objects.
     */
    public static <T> Pool<T> commons(List<T> objects, Consumer<GenericObjectPoolConfig<T>> settings) throws Exception {
        GenericObjectPoolConfig<T> config = new GenericObjectPoolConfig<>();
        config.setMaxTotal(objects.size());
        config.setMaxIdle(objects.size());
        config.setJmxEnabled(false);
        settings.accept(config);
        GenericObjectPool<T> pool = new GenericObjectPool<>(factory(objects.iterator()::next), config);
        pool.addObjects(objects.size());
        return Pool.of(pool::borrowObject, pool::returnObject, pool);
    }

    /** Returns a factory for Commons Pool 2 of what {@code maker} returns. */
    public static <T> PooledObjectFactory<T> factory(Supplier<T> maker) {
        return new BasePooledObjectFactory<>() {
            @Override
            public T create() {
                return maker.get();
            }

            @Override
            public PooledObject<T> wrap(T made) {
                return new DefaultPooledObject<>(made);
            }
        };
    }

    /** Returns a pool that is only the JDK's deque, whose lock a borrow and a return acquire twice. */
    static <T> Pool<T> deque(List<T> items) {
        LinkedBlockingDeque<T> idle = new LinkedBlockingDeque<>(items);
        return Pool.of(idle::takeFirst, idle::addFirst, () -> {});
    }

    /**
     * Returns a simple pool without a lock: a semaphore in front of {@code idle}, which holds all objects. Callers may
     * overtake one another unless {@code fair}.
     */
    public static <T> Pool<T> semaphore(Queue<T> idle, boolean fair) {
        Semaphore permits = new Semaphore(idle.size(), fair);
        return Pool.of(
                () -> {
                    permits.acquire();
                    return idle.remove();
                },
                borrowed -> {
                    idle.add(borrowed);
                    permits.release();
                },
                () -> {});
    }

    /** Returns a pool that lends its items in turn, by one counter that all callers share. */
    static <T> Pool<T> roundRobin(List<T> items) {
        AtomicInteger next = new AtomicInteger();
        return shared(items, () -> (next.getAndIncrement() & Integer.MAX_VALUE) % items.size());
    }

    /** Returns a pool that gives each thread the item at {@code threadId % size}. */
    // Thread.threadId() does not exist before JDK 19.
    @SuppressWarnings("deprecation")
    static <T> Pool<T> byThreadId(List<T> items) {
        return shared(items, () -> (int) (Thread.currentThread().getId() % items.size()));
    }

    /**
     * Returns a pool of items that callers share: no item is taken out, so none is put back and no caller waits. The
     * article recommends such an array for items that many threads may use at the same time.
     */
    private static <T> Pool<T> shared(List<T> items, IntSupplier chooser) {
        return Pool.of(() -> items.get(chooser.getAsInt()), item -> {}, () -> {});
    }
}
