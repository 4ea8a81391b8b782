// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.admin.ServerHealth;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.sharding.cluster.MemshardOptions;
import io.memshard.template.spymemcached.SpymemcachedClient;
import io.memshard.template.spymemcached.SpymemcachedConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Spymemcached clients, each with one connection and one thread. A chooser of Memshard picks a client per call. */
final class SpymemcachedConnections implements EngineConnections, ConnectionChooser.Candidates {

    private final ServerAddress server;
    private final Duration requestTimeout;
    private final ConnectionChooser chooser;
    private final List<SpymemcachedConnection> connections;

    SpymemcachedConnections(MemshardOptions options) {
        List<SpymemcachedConnection> opened = new ArrayList<>();
        try {
            for (int index = 0; index < options.connectionsPerServer; index++) {
                opened.add(SpymemcachedConnection.open(options, index));
            }
        } catch (RuntimeException e) {
            opened.forEach(SpymemcachedConnection::close);
            throw e;
        }
        this.server = options.server();
        this.requestTimeout = options.requestTimeout;
        this.chooser = options.chooser;
        this.connections = List.copyOf(opened);
    }

    @Override
    public int size() {
        return connections.size();
    }

    SpymemcachedClient<EncodedValue> client(int index) {
        return connections.get(index).client();
    }

    @Override
    public @Nullable EncodedValue get(int index, String key) {
        return connections.get(index).get(key);
    }

    @Override
    public <V> void set(int index, String key, V value, Duration ttl, Transcoder<V> transcoder) {
        connections.get(index).set(key, value, ttl, transcoder);
    }

    @Override
    public void checkAnswers() {
        connections.get(0).version(requestTimeout);
    }

    @Override
    public List<ServerHealth> health(int index, Duration timeout) {
        return List.of(ServerHealth.of(server, () -> connections.get(index).version(timeout)));
    }

    @Override
    public int choose() {
        int chosen = size() == 1 ? 0 : chooser.choose(this);
        return chosen == ConnectionChooser.NONE ? 0 : chosen;
    }

    @Override
    public boolean isReady(int index) {
        return connections.get(index).isReady();
    }

    @Override
    public int inFlight(int index) {
        return connections.get(index).inFlight();
    }

    @Override
    public void close() {
        connections.forEach(SpymemcachedConnection::close);
    }
}
