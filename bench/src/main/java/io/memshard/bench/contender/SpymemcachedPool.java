package io.memshard.bench.contender;

import java.util.concurrent.TimeUnit;
import net.spy.memcached.MemcachedClient;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;

/**
 * A pool of spymemcached clients, borrowed and returned around each call: what the article calls
 * Template. Commons Pool with its defaults, but as many idle clients as clients, all opened before the
 * first call.
 */
final class SpymemcachedPool implements Contender {

    private final GenericObjectPool<MemcachedClient> pool;

    SpymemcachedPool(ContenderSettings settings) throws Exception {
        GenericObjectPoolConfig<MemcachedClient> config = new GenericObjectPoolConfig<>();
        config.setMaxTotal(settings.poolSize());
        config.setMaxIdle(settings.poolSize());
        pool = new GenericObjectPool<>(new Factory(settings), config);
        pool.addObjects(settings.poolSize());
    }

    @Override
    public byte @Nullable [] get(String key) throws Exception {
        MemcachedClient client = pool.borrowObject();
        try {
            return client.get(key, SpymemcachedClients.BYTES);
        } finally {
            pool.returnObject(client);
        }
    }

    @Override
    public void set(String key, byte[] value) throws Exception {
        MemcachedClient client = pool.borrowObject();
        try {
            client.set(key, 0, value, SpymemcachedClients.BYTES)
                    .get(ContenderSettings.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            pool.returnObject(client);
        }
    }

    @Override
    public void close() {
        pool.close();
    }

    private static final class Factory extends BasePooledObjectFactory<MemcachedClient> {

        private final ContenderSettings settings;

        Factory(ContenderSettings settings) {
            this.settings = settings;
        }

        @Override
        public MemcachedClient create() throws Exception {
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
