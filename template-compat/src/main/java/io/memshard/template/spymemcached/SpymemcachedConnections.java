package io.memshard.template.spymemcached;

import io.memshard.client.MemcachedClient;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.template.engine.EngineConnections;
import io.memshard.template.engine.EngineSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * An array of spymemcached clients, one connection and one thread each, under one of our choosers.
 *
 * <p>Threading: as its interface says; immutable.
 */
public final class SpymemcachedConnections implements EngineConnections, ConnectionChooser.Candidates {

    private final ConnectionChooser chooser;
    private final List<SpymemcachedConnection> connections;
    private final List<MemcachedClient<EncodedValue>> clients;

    private SpymemcachedConnections(ConnectionChooser chooser, List<SpymemcachedConnection> connections) {
        this.chooser = chooser;
        this.connections = List.copyOf(connections);
        List<MemcachedClient<EncodedValue>> made = new ArrayList<>();
        for (SpymemcachedConnection connection : connections) {
            made.add(new SpymemcachedClient<>(
                    connection, Transcoder.asStored(), connection.settings().requestTimeout()));
        }
        this.clients = List.copyOf(made);
    }

    /**
     * Connections with these settings, each established and answered.
     *
     * @throws io.memshard.client.exception.MemcachedConnectionException if one cannot be opened within
     *     the connect timeout; none is left open then
     */
    public static EngineConnections open(EngineSettings settings) {
        List<SpymemcachedConnection> opened = new ArrayList<>();
        try {
            for (int index = 0; index < settings.connections(); index++) {
                opened.add(SpymemcachedConnection.open(settings, index));
            }
        } catch (RuntimeException e) {
            opened.forEach(SpymemcachedConnection::close);
            throw e;
        }
        return new SpymemcachedConnections(settings.chooser(), opened);
    }

    @Override
    public int size() {
        return connections.size();
    }

    @Override
    public MemcachedClient<EncodedValue> connection(int index) {
        return clients.get(index);
    }

    @Override
    public int choose() {
        int chosen = chooser.choose(this);
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

    /** It waits up to 30 seconds between its attempts. */
    @Override
    public boolean reconnectsSoon() {
        return false;
    }

    @Override
    public void close() {
        connections.forEach(SpymemcachedConnection::close);
    }
}
