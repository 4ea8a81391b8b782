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

/** Pools of spymemcached clients. Each call borrows a client and returns it. */
final class ClientPool {

    @FunctionalInterface
    interface Opener {
        Pool<Contender> open(List<Contender> clients) throws Exception;
    }

    private ClientPool() {}

    static Contender open(ContenderSettings settings, Opener opener) throws Exception {
        List<Contender> clients = new ArrayList<>();
        for (int i = 0; i < settings.poolSize(); i++) {
            clients.add(SpymemcachedClients.single(settings));
        }
        Pool<Contender> pool = opener.open(clients);
        return new Contender(
                key -> {
                    Contender client = pool.borrow();
                    try {
                        return client.get(key);
                    } finally {
                        pool.giveBack(client);
                    }
                },
                (key, value) -> {
                    Contender client = pool.borrow();
                    try {
                        client.set(key, value);
                    } finally {
                        pool.giveBack(client);
                    }
                },
                () -> clients.forEach(Contender::close));
    }

    static Pool<Contender> commons(List<Contender> clients) throws Exception {
        return Pools.commons(clients, config -> {});
    }

    /** Returns a pool in which each thread keeps one client, so that no call needs a lock. */
    static Pool<Contender> affine(List<Contender> clients) {
        AtomicInteger next = new AtomicInteger();
        ThreadLocal<Contender> own =
                ThreadLocal.withInitial(() -> clients.get(next.getAndIncrement() % clients.size()));
        return new Pool<>(own::get, client -> {}, () -> {});
    }

    static Pool<Contender> lockFree(List<Contender> clients) {
        return Pools.semaphore(Collections.asLifoQueue(new ConcurrentLinkedDeque<>(clients)), false);
    }

    static Pool<Contender> dosed(List<Contender> clients, int micros) {
        Pool<Contender> free = lockFree(clients);
        ReentrantLock lock = new ReentrantLock();
        return new Pool<>(
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
}
