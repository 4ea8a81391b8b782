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

public final class Pools {
    private Pools() {}

    /** Opens a Commons Pool 2 that keeps all {@code objects}. By default, the pool would keep only 8 idle objects. */
    public static <T> Pool<T> commons(List<T> objects, Consumer<GenericObjectPoolConfig<T>> settings) throws Exception {
        GenericObjectPoolConfig<T> config = new GenericObjectPoolConfig<>();
        config.setMaxTotal(objects.size());
        config.setMaxIdle(objects.size());
        config.setJmxEnabled(false);
        settings.accept(config);
        GenericObjectPool<T> pool = new GenericObjectPool<>(factory(objects.iterator()::next), config);
        pool.addObjects(objects.size());
        return new Pool<>(pool::borrowObject, pool::returnObject, pool);
    }

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

    static <T> Pool<T> deque(List<T> items) {
        LinkedBlockingDeque<T> idle = new LinkedBlockingDeque<>(items);
        return new Pool<>(idle::takeFirst, idle::addFirst, () -> {});
    }

    public static <T> Pool<T> semaphore(Queue<T> idle, boolean fair) {
        Semaphore permits = new Semaphore(idle.size(), fair);
        return new Pool<>(
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

    static <T> Pool<T> roundRobin(List<T> items) {
        AtomicInteger next = new AtomicInteger();
        return shared(items, () -> (next.getAndIncrement() & Integer.MAX_VALUE) % items.size());
    }

    // Thread.threadId() does not exist before JDK 19.
    @SuppressWarnings("deprecation")
    static <T> Pool<T> byThreadId(List<T> items) {
        return shared(items, () -> (int) (Thread.currentThread().getId() % items.size()));
    }

    private static <T> Pool<T> shared(List<T> items, IntSupplier chooser) {
        return new Pool<>(() -> items.get(chooser.getAsInt()), item -> {}, () -> {});
    }
}
