// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.contender.SpymemcachedClients;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import net.spy.memcached.MemcachedClient;

/**
 * A pool that takes no exclusive lock: permits by compare-and-set, then a concurrent stack. Callers still wait while
 * all clients are out, as they must. The difference to Commons Pool is what its locks and its bookkeeping cost.
 */
final class LockFreeClientPool implements ClientPool {

    private final List<MemcachedClient> clients;
    private final ConcurrentLinkedDeque<MemcachedClient> idle = new ConcurrentLinkedDeque<>();
    private final Semaphore permits;

    LockFreeClientPool(ContenderSettings settings) throws IOException {
        clients = OwnedClients.openAll(settings);
        idle.addAll(clients);
        permits = new Semaphore(clients.size());
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
