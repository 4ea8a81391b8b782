// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.contender.SpymemcachedClients;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import net.spy.memcached.MemcachedClient;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/**
 * Source of a client for one call. It is the only difference between the causal arms.
 *
 * <p>Threading: thread-safe.
 */
interface ClientPool extends AutoCloseable {
    /** Returns a client for one call, after as long a wait as that takes. */
    MemcachedClient borrow(int caller) throws Exception;

    /** Takes a client back. Does nothing where clients belong to their callers. */
    default void giveBack(MemcachedClient client) throws Exception {}

    /** Returns the figures of the pool; none by default. */
    default Map<String, Double> figures() {
        return Map.of();
    }

    @Override
    void close();

    /** Returns how {@code caller} gets a value: borrows a client, gets and gives the client back. */
    default Keys.Get getOf(int caller) {
        return key -> {
            MemcachedClient client = borrow(caller);
            try {
                return client.get(key, SpymemcachedClients.BYTES);
            } finally {
                giveBack(client);
            }
        };
    }

    private static List<MemcachedClient> openAll(ContenderSettings settings) throws IOException {
        List<MemcachedClient> opened = new ArrayList<>();
        for (int i = 0; i < settings.poolSize(); i++) {
            opened.add(SpymemcachedClients.open(settings));
        }
        return opened;
    }

    /**
     * Clients without a pool: caller {@code i} always has client {@code i % size}. The remaining difference to one
     * client is the price of many clients, not of a lock.
     */
    record Owned(List<MemcachedClient> clients) implements ClientPool {
        /** Opens as many clients as the article's pool has. */
        static Owned open(ContenderSettings settings) throws IOException {
            return new Owned(openAll(settings));
        }

        @Override
        public MemcachedClient borrow(int caller) {
            return clients.get(caller % clients.size());
        }

        @Override
        public void close() {
            clients.forEach(SpymemcachedClients::close);
        }
    }

    /**
     * Pool that takes no exclusive lock: permits by compare-and-set, then a concurrent stack. Callers still wait while
     * all clients are out, as they must. The difference to Commons Pool is the cost of its locks and its bookkeeping.
     */
    record LockFree(List<MemcachedClient> clients, ConcurrentLinkedDeque<MemcachedClient> idle, Semaphore permits)
            implements ClientPool {
        static LockFree open(ContenderSettings settings) throws IOException {
            List<MemcachedClient> clients = openAll(settings);
            return new LockFree(clients, new ConcurrentLinkedDeque<>(clients), new Semaphore(clients.size()));
        }

        @Override
        public MemcachedClient borrow(int caller) throws InterruptedException {
            permits.acquire();
            MemcachedClient client = idle.pollFirst();
            if (client == null) {
                throw new IllegalStateException("a permit without a client");
            }
            return client;
        }

        @Override
        public void giveBack(MemcachedClient client) {
            idle.addFirst(client);
            permits.release();
        }

        @Override
        public void close() {
            clients.forEach(SpymemcachedClients::close);
        }
    }

    /**
     * A pool behind one more lock, which each borrow and each return holds for a known time: the dose. If locks
     * make a pool slow, a known dose does so in a known measure.
     */
    record Injected(ClientPool pool, long holdNanos, ReentrantLock lock, LongAdder acquisitions) implements ClientPool {
        static Injected around(ClientPool pool, long holdMicros) {
            return new Injected(pool, holdMicros * 1000, new ReentrantLock(), new LongAdder());
        }

        private void hold() {
            lock.lock();
            try {
                acquisitions.increment();
                long start = System.nanoTime();
                while (System.nanoTime() - start < holdNanos) {
                    Thread.onSpinWait();
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public MemcachedClient borrow(int caller) throws Exception {
            hold();
            return pool.borrow(caller);
        }

        @Override
        public void giveBack(MemcachedClient client) throws Exception {
            hold();
            pool.giveBack(client);
        }

        @Override
        public Map<String, Double> figures() {
            return Map.of("injected_acquisitions", (double) acquisitions.sum());
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    /**
     * The article's pool: Commons Pool 2 over whole clients, as many idle as it has and all open before the
     * first call, except for what an arm changes.
     */
    record Commons(GenericObjectPool<MemcachedClient> pool, int size) implements ClientPool {
        static Commons open(ContenderSettings settings, Consumer<GenericObjectPoolConfig<MemcachedClient>> change)
                throws Exception {
            GenericObjectPoolConfig<MemcachedClient> config = new GenericObjectPoolConfig<>();
            int size = settings.poolSize();
            config.setMaxTotal(size);
            config.setMaxIdle(size);
            config.setBlockWhenExhausted(true);
            config.setJmxEnabled(false);
            change.accept(config);
            GenericObjectPool<MemcachedClient> pool = new GenericObjectPool<>(new Clients(settings), config);
            pool.addObjects(Math.min(size, config.getMaxIdle()));
            return new Commons(pool, size);
        }

        @Override
        public MemcachedClient borrow(int caller) throws Exception {
            return pool.borrowObject();
        }

        @Override
        public void giveBack(MemcachedClient client) {
            pool.returnObject(client);
        }

        @Override
        public Map<String, Double> figures() {
            return Map.of("clients_opened", (double) pool.getCreatedCount(), "pool_size", (double) size);
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    /** Opens and closes the clients of {@link Commons}. */
    final class Clients extends BasePooledObjectFactory<MemcachedClient> {
        private final ContenderSettings settings;

        private Clients(ContenderSettings settings) {
            this.settings = settings;
        }

        @Override
        public MemcachedClient create() throws IOException {
            return SpymemcachedClients.open(settings);
        }

        @Override
        public PooledObject<MemcachedClient> wrap(MemcachedClient client) {
            return new DefaultPooledObject<>(client);
        }

        @Override
        public void destroyObject(PooledObject<MemcachedClient> pooled) {
            SpymemcachedClients.close(pooled.getObject());
        }
    }
}
