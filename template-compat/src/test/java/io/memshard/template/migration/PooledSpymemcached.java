// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.migration;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import net.spy.memcached.CASResponse;
import net.spy.memcached.CASValue;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.MemcachedClient;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;

/** The application before: spymemcached clients in a Commons Pool. */
final class PooledSpymemcached implements Cache {

    private static final int OPERATION_TIMEOUT_MILLIS = 30_000;

    private interface Call<T> {
        T on(MemcachedClient client) throws Exception;
    }

    static {
        // Otherwise spymemcached writes a line for each connection.
        System.setProperty("net.spy.log.LoggerImpl", "net.spy.memcached.compat.log.SLF4JLogger");
    }

    private final GenericObjectPool<MemcachedClient> pool;

    PooledSpymemcached(InetSocketAddress server) {
        pool = new GenericObjectPool<>(new BasePooledObjectFactory<>() {
            @Override
            public MemcachedClient create() throws IOException {
                return new MemcachedClient(
                        new ConnectionFactoryBuilder()
                                .setDaemon(true)
                                .setOpTimeout(OPERATION_TIMEOUT_MILLIS)
                                .build(),
                        List.of(server));
            }

            @Override
            public PooledObject<MemcachedClient> wrap(MemcachedClient client) {
                return new DefaultPooledObject<>(client);
            }

            @Override
            public void destroyObject(PooledObject<MemcachedClient> pooled) {
                pooled.getObject().shutdown();
            }
        });
    }

    private <T> T call(Call<T> call) {
        try {
            MemcachedClient client = pool.borrowObject();
            try {
                return call.on(client);
            } finally {
                pool.returnObject(client);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Object get(String key) {
        return call(client -> client.get(key));
    }

    @Override
    public Versioned gets(String key) {
        CASValue<Object> found = call(client -> client.gets(key));
        return found == null ? null : new Versioned(found.getValue(), found.getCas());
    }

    @Override
    public Map<String, Object> getMany(Collection<String> keys) {
        return call(client -> client.getBulk(keys));
    }

    @Override
    public void set(String key, Object value, int ttlSeconds) {
        call(client -> client.set(key, ttlSeconds, value).get());
    }

    @Override
    public boolean add(String key, Object value, int ttlSeconds) {
        return call(client -> client.add(key, ttlSeconds, value).get());
    }

    @Override
    public boolean replace(String key, Object value, int ttlSeconds) {
        return call(client -> client.replace(key, ttlSeconds, value).get());
    }

    @Override
    public boolean cas(String key, Object value, long casUnique, int ttlSeconds) {
        return call(client -> client.cas(key, casUnique, ttlSeconds, value)) == CASResponse.OK;
    }

    @Override
    public boolean append(String key, String value) {
        return call(client -> client.append(key, value).get());
    }

    @Override
    public boolean prepend(String key, String value) {
        return call(client -> client.prepend(key, value).get());
    }

    @Override
    public long incr(String key, int delta) {
        return call(client -> client.incr(key, delta));
    }

    @Override
    public long decr(String key, int delta) {
        return call(client -> client.decr(key, delta));
    }

    @Override
    public boolean touch(String key, int ttlSeconds) {
        return call(client -> client.touch(key, ttlSeconds).get());
    }

    @Override
    public boolean delete(String key) {
        return call(client -> client.delete(key).get());
    }

    @Override
    public void close() {
        pool.close();
    }
}
