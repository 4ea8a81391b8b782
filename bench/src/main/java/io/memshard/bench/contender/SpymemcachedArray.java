package io.memshard.bench.contender;

import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import net.spy.memcached.MemcachedClient;
import org.jspecify.annotations.Nullable;

/**
 * An array of spymemcached clients that every thread uses at once; an array of one is what the article
 * calls Connection.
 */
final class SpymemcachedArray implements Contender {

    private final MemcachedClient[] clients;
    private final IntUnaryOperator chooser;

    /** @param chooser from the size of the array to an index */
    SpymemcachedArray(ContenderSettings settings, int size, IntUnaryOperator chooser) throws IOException {
        this.clients = new MemcachedClient[size];
        this.chooser = chooser;
        for (int i = 0; i < size; i++) {
            clients[i] = SpymemcachedClients.open(settings);
        }
    }

    private MemcachedClient choose() {
        return clients[clients.length == 1 ? 0 : chooser.applyAsInt(clients.length)];
    }

    @Override
    public byte @Nullable [] get(String key) {
        return choose().get(key, SpymemcachedClients.BYTES);
    }

    @Override
    public void set(String key, byte[] value) throws Exception {
        choose().set(key, 0, value, SpymemcachedClients.BYTES)
                .get(ContenderSettings.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public Future<byte @Nullable []> getAsync(String key) {
        return choose().asyncGet(key, SpymemcachedClients.BYTES);
    }

    @Override
    public Future<?> setAsync(String key, byte[] value) {
        return choose().set(key, 0, value, SpymemcachedClients.BYTES);
    }

    @Override
    public void close() {
        for (MemcachedClient client : clients) {
            SpymemcachedClients.close(client);
        }
    }
}
