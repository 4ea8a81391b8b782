// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import net.spy.memcached.MemcachedClient;
import org.jspecify.annotations.Nullable;

/** Array of spymemcached clients without Template, for asynchronous calls and for comparison. */
final class SpymemcachedArray implements Contender {

    private final MemcachedClient[] clients;
    private final IntUnaryOperator chooser;

    private SpymemcachedArray(MemcachedClient[] clients, IntUnaryOperator chooser) {
        this.clients = clients;
        this.chooser = chooser;
    }

    private SpymemcachedArray(ContenderSettings settings, int size, IntUnaryOperator chooser) throws IOException {
        this(new MemcachedClient[size], chooser);
        for (int i = 0; i < size; i++) {
            clients[i] = SpymemcachedClients.open(settings);
        }
    }

    /** Returns an array of one client. */
    static SpymemcachedArray of(MemcachedClient client) {
        return new SpymemcachedArray(new MemcachedClient[] {client}, clients -> 0);
    }

    /** Opens an array that uses its clients in turn. */
    static SpymemcachedArray inTurn(ContenderSettings settings, int size) throws IOException {
        AtomicInteger next = new AtomicInteger();
        return new SpymemcachedArray(settings, size, clients -> (next.getAndIncrement() & Integer.MAX_VALUE) % clients);
    }

    /** Returns the client at {@code threadId % size}. */
    static SpymemcachedArray byThreadId(ContenderSettings settings, int size) throws IOException {
        return new SpymemcachedArray(settings, size, SpymemcachedArray::threadIdModulo);
    }

    // Thread.threadId() is not there before 19.
    @SuppressWarnings("deprecation")
    private static int threadIdModulo(int clients) {
        return (int) (Thread.currentThread().getId() % clients);
    }

    private MemcachedClient choose() {
        return clients[clients.length == 1 ? 0 : chooser.applyAsInt(clients.length)];
    }

    @Override
    public byte @Nullable [] get(String key) {
        return choose().get(key, SpymemcachedClients.BYTES);
    }

    @Override
    public List<byte @Nullable []> getMany(List<String> keys) {
        return Contender.inOrder(keys, choose().getBulk(keys, SpymemcachedClients.BYTES));
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
