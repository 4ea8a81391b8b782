// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.bench.lab.pool.Pool;
import io.memshard.bench.lab.pool.Pools;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Pool of spymemcached clients; each call borrows one. The causal arms differ only in how a call gets a client. */
record ClientPool(List<Contender> clients, Pool<Contender> pool) implements Contender {

    @FunctionalInterface
    interface Opener {
        Pool<Contender> open(List<Contender> clients) throws Exception;
    }

    static ClientPool open(ContenderSettings settings, Opener opener) throws Exception {
        List<Contender> clients = new ArrayList<>();
        for (int i = 0; i < settings.poolSize(); i++) {
            clients.add(SpymemcachedClients.single(settings));
        }
        return new ClientPool(clients, opener.open(clients));
    }

    /** Opens the pool of the article: Commons Pool 2 with its defaults. */
    static Pool<Contender> commons(List<Contender> clients) throws Exception {
        return Pools.commons(clients, config -> {});
    }

    /**
     * Returns a pool without borrowing: each thread gets the next client in turn and keeps it. The difference from a
     * single client is therefore the cost of many clients, not of a lock.
     */
    static Pool<Contender> affine(List<Contender> clients) {
        AtomicInteger next = new AtomicInteger();
        ThreadLocal<Contender> own =
                ThreadLocal.withInitial(() -> clients.get(next.getAndIncrement() % clients.size()));
        return Pool.of(own::get, client -> {}, () -> {});
    }

    /**
     * Returns a pool without an exclusive lock: a semaphore in front of a concurrent stack. As in any pool, callers
     * wait while all clients are out. The difference from Commons Pool is the cost of that pool's locks and
     * bookkeeping.
     */
    static Pool<Contender> lockFree(List<Contender> clients) {
        return Pools.semaphore(Collections.asLifoQueue(new ConcurrentLinkedDeque<>(clients)), false);
    }

    /**
     * Returns the pool of {@link #lockFree} behind a lock. Each borrow and each return holds this lock for {@code
     * micros} microseconds. If locks make a pool slow, this known time slows it by a known amount. The holder spins,
     * which also takes a processor from other threads.
     */
    static Pool<Contender> dosed(List<Contender> clients, int micros) {
        Pool<Contender> free = lockFree(clients);
        ReentrantLock lock = new ReentrantLock();
        return Pool.of(
                () -> {
                    hold(lock, micros);
                    return free.borrow();
                },
                client -> {
                    hold(lock, micros);
                    free.giveBack(client);
                },
                () -> {});
    }

    private static void hold(ReentrantLock lock, int micros) {
        lock.lock();
        try {
            long start = System.nanoTime();
            while (System.nanoTime() - start < TimeUnit.MICROSECONDS.toNanos(micros)) {
                Thread.onSpinWait();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public byte @Nullable [] get(String key) throws Exception {
        Contender client = pool.borrow();
        try {
            return client.get(key);
        } finally {
            pool.giveBack(client);
        }
    }

    @Override
    public void set(String key, byte[] value) throws Exception {
        Contender client = pool.borrow();
        try {
            client.set(key, value);
        } finally {
            pool.giveBack(client);
        }
    }

    @Override
    public void close() {
        clients.forEach(Contender::close);
    }
}
