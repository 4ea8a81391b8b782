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
record SpymemcachedArray(List<MemcachedClient> clients, IntUnaryOperator chooser) implements Contender {

    /** Returns an array of one client. */
    static SpymemcachedArray of(MemcachedClient client) {
        return new SpymemcachedArray(List.of(client), clients -> 0);
    }

    /** Opens an array that uses its clients in turn. */
    static SpymemcachedArray inTurn(ContenderSettings settings, int size) throws IOException {
        AtomicInteger next = new AtomicInteger();
        return opened(settings, size, clients -> (next.getAndIncrement() & Integer.MAX_VALUE) % clients);
    }

    /** Returns the client at {@code threadId % size}. */
    static SpymemcachedArray byThreadId(ContenderSettings settings, int size) throws IOException {
        return opened(settings, size, SpymemcachedArray::threadIdModulo);
    }

    private static SpymemcachedArray opened(ContenderSettings settings, int size, IntUnaryOperator chooser)
            throws IOException {
        return new SpymemcachedArray(SpymemcachedClients.open(settings, size), chooser);
    }

    // Thread.threadId() is not there before 19.
    @SuppressWarnings("deprecation")
    private static int threadIdModulo(int clients) {
        return (int) (Thread.currentThread().getId() % clients);
    }

    private MemcachedClient choose() {
        return clients.get(clients.size() == 1 ? 0 : chooser.applyAsInt(clients.size()));
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
        clients.forEach(SpymemcachedClients::close);
    }
}
