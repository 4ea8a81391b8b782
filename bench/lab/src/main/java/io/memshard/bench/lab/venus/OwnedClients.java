// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.contender.SpymemcachedClients;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import net.spy.memcached.MemcachedClient;

/**
 * As many clients as the article's pool has, and no pool: caller {@code i} always has client {@code i % size}. What is
 * left of the difference to one client is the price of many clients, not of a lock.
 */
final class OwnedClients implements ClientPool {

    private final List<MemcachedClient> clients;

    OwnedClients(ContenderSettings settings) throws IOException {
        clients = openAll(settings);
    }

    /** As many clients as the pool has. */
    static List<MemcachedClient> openAll(ContenderSettings settings) throws IOException {
        List<MemcachedClient> opened = new ArrayList<>();
        for (int i = 0; i < settings.poolSize(); i++) {
            opened.add(SpymemcachedClients.open(settings));
        }
        return opened;
    }

    @Override
    public MemcachedClient borrow(int caller) {
        return clients.get(caller % clients.size());
    }

    @Override
    public void giveBack(MemcachedClient client) {
        // It belongs to its callers.
    }

    @Override
    public void close() {
        clients.forEach(SpymemcachedClients::close);
    }
}
