// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import net.spy.memcached.MemcachedClient;

/**
 * A pool behind one more lock, which each borrow and each return holds for a known time: the dose. If locks make a pool
 * slow, a known dose does so in a known measure.
 */
final class InjectedLock implements ClientPool {

    private static final long NANOS_A_MICRO = 1000;

    private final ClientPool pool;
    private final long holdNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final LongAdder acquisitions = new LongAdder();

    InjectedLock(ClientPool pool, long holdMicros) {
        this.pool = pool;
        this.holdNanos = holdMicros * NANOS_A_MICRO;
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
