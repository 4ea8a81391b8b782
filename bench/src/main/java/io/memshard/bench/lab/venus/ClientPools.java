// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.contender.SpymemcachedClients;
import io.memshard.bench.lab.pool.CommonsPool2;
import io.memshard.bench.lab.pool.JdkPools;
import io.memshard.bench.lab.pool.Pool;
import io.memshard.bench.lab.venus.Keys.Source;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import net.spy.memcached.MemcachedClient;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** Ways to get a client for one call. They are the only difference between the causal arms. Threading: stateless. */
final class ClientPools {

    private ClientPools() {}

    private static byte[] get(MemcachedClient client, String key) {
        return client.get(key, SpymemcachedClients.BYTES);
    }

    private static Keys.Get through(Pool<MemcachedClient> pool) {
        return key -> {
            MemcachedClient client = pool.borrow();
            try {
                return get(client, key);
            } finally {
                pool.giveBack(client);
            }
        };
    }

    /**
     * Returns clients without a pool: caller {@code i} always has client {@code i % size}. So a difference from a
     * single client is the cost of many clients, not of a lock.
     */
    static Source owned(List<MemcachedClient> clients) {
        return new Source(
                caller -> key -> get(clients.get(caller % clients.size()), key),
                Map::of,
                () -> clients.forEach(SpymemcachedClients::close));
    }

    /**
     * Opens a pool without an exclusive lock: permits by compare-and-set, then a concurrent stack. As in any pool,
     * callers wait while all clients are out. The difference from Commons Pool is the cost of that pool's locks and
     * bookkeeping.
     */
    static Source lockFree(ContenderSettings settings) throws IOException {
        List<MemcachedClient> clients = SpymemcachedClients.open(settings, settings.poolSize());
        Pool<MemcachedClient> pool = unlocked(clients);
        return new Source(caller -> through(pool), Map::of, () -> clients.forEach(SpymemcachedClients::close));
    }

    /**
     * Opens the pool of {@link #lockFree} behind a lock that each borrow and each return holds for a known time: the
     * dose. If locks make a pool slow, a known dose slows it by a known amount. The holder spins, which also takes a
     * processor from other threads. The figure {@code injected_hold_us} is the real time of a hold.
     */
    static Source injected(ContenderSettings settings, long holdMicros) throws IOException {
        List<MemcachedClient> clients = SpymemcachedClients.open(settings, settings.poolSize());
        Pool<MemcachedClient> pool = unlocked(clients);
        Dose dose = new Dose(holdMicros * 1000, new ReentrantLock(), new LongAdder(), new LongAdder());
        Pool<MemcachedClient> dosed = Pool.of(
                () -> {
                    dose.hold();
                    return pool.borrow();
                },
                client -> {
                    dose.hold();
                    pool.giveBack(client);
                },
                pool::close);
        return new Source(
                caller -> through(dosed),
                () -> Map.of(
                        "injected_acquisitions",
                        (double) dose.acquisitions.sum(),
                        "injected_hold_us",
                        dose.heldNanos.sum() / 1e3 / Math.max(1, dose.acquisitions.sum())),
                () -> clients.forEach(SpymemcachedClients::close));
    }

    private static Pool<MemcachedClient> unlocked(List<MemcachedClient> clients) {
        return JdkPools.semaphore(clients.size(), Collections.asLifoQueue(new ConcurrentLinkedDeque<>(clients)), false);
    }

    private record Dose(long nanos, ReentrantLock lock, LongAdder acquisitions, LongAdder heldNanos) {
        void hold() {
            lock.lock();
            try {
                acquisitions.increment();
                long start = System.nanoTime();
                long held = 0;
                while (held < nanos) {
                    Thread.onSpinWait();
                    held = System.nanoTime() - start;
                }
                heldNanos.add(held);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Opens the article's pool, Commons Pool 2 over whole clients, with the settings that {@code change} makes. */
    static Source commons(ContenderSettings settings, Consumer<GenericObjectPoolConfig<MemcachedClient>> change)
            throws Exception {
        int size = settings.poolSize();
        GenericObjectPool<MemcachedClient> pool = CommonsPool2.open(
                size, () -> SpymemcachedClients.open(settings), SpymemcachedClients::close, config -> {
                    config.setJmxEnabled(false);
                    change.accept(config);
                });
        Pool<MemcachedClient> filled = CommonsPool2.filled(pool, Math.min(size, pool.getMaxIdle()));
        return new Source(
                caller -> through(filled),
                () -> Map.of("clients_opened", (double) pool.getCreatedCount(), "pool_size", (double) size),
                pool);
    }
}
