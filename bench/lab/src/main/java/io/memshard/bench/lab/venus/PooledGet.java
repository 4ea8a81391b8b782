// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.bench.contender.SpymemcachedClients;
import io.memshard.bench.lab.experiment.OpenedArm;
import java.util.Map;
import net.spy.memcached.MemcachedClient;

/** Borrow a client, get a value, give the client back. */
final class PooledGet implements OpenedArm {

    private final ClientPool pool;
    private final Keys keys;

    PooledGet(ClientPool pool, Keys keys) {
        this.pool = pool;
        this.keys = keys;
    }

    @Override
    public Cycle cycle(int caller) {
        return keys.checking(caller, key -> {
            MemcachedClient client = pool.borrow(caller);
            try {
                return client.get(key, SpymemcachedClients.BYTES);
            } finally {
                pool.giveBack(client);
            }
        });
    }

    @Override
    public Map<String, Double> figures() {
        return pool.figures();
    }

    @Override
    public void close() {
        pool.close();
    }
}
