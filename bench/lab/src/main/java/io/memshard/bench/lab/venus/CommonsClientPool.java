// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.contender.SpymemcachedClients;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import net.spy.memcached.MemcachedClient;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/**
 * The article's pool: Commons Pool 2 over whole clients, as many idle as there are and all open before the first call,
 * but for what an arm changes.
 */
final class CommonsClientPool implements ClientPool {

    private final GenericObjectPool<MemcachedClient> pool;
    private final int size;

    CommonsClientPool(ContenderSettings settings, Consumer<GenericObjectPoolConfig<MemcachedClient>> change)
            throws Exception {
        GenericObjectPoolConfig<MemcachedClient> config = new GenericObjectPoolConfig<>();
        size = settings.poolSize();
        config.setMaxTotal(size);
        config.setMaxIdle(size);
        config.setBlockWhenExhausted(true);
        config.setJmxEnabled(false);
        change.accept(config);
        pool = new GenericObjectPool<>(new Clients(settings), config);
        pool.addObjects(Math.min(size, config.getMaxIdle()));
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

    private static final class Clients extends BasePooledObjectFactory<MemcachedClient> {

        private final ContenderSettings settings;

        Clients(ContenderSettings settings) {
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
