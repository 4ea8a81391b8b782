// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.sharding.ConnectionChooser;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import net.spy.memcached.MemcachedClient;
import org.jspecify.annotations.Nullable;

/** Array of spymemcached clients without Template, for asynchronous calls and to show the cost of Template. */
record SpymemcachedArray(List<MemcachedClient> clients, ConnectionChooser chooser)
        implements Contender, ConnectionChooser.Candidates {

    /** Returns an array of one client. */
    static SpymemcachedArray of(MemcachedClient client) {
        return new SpymemcachedArray(List.of(client), ConnectionChooser.roundRobin());
    }

    /** Opens an array of {@code size} clients, of which {@code chooser} takes one for each call. */
    static SpymemcachedArray open(ContenderSettings settings, int size, ConnectionChooser chooser) throws IOException {
        return new SpymemcachedArray(SpymemcachedClients.open(settings, size), chooser);
    }

    private MemcachedClient choose() {
        return clients.get(clients.size() == 1 ? 0 : chooser.choose(this));
    }

    @Override
    public int size() {
        return clients.size();
    }

    @Override
    public boolean isReady(int index) {
        return true;
    }

    @Override
    public int inFlight(int index) {
        return 0; // No contender with this array has a chooser that asks for it.
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
    public void close() {
        clients.forEach(SpymemcachedClients::close);
    }
}
