package io.memshard.template;

import io.memshard.client.EncodedValue;
import io.memshard.client.MemcachedClient;

/** Modes single and sharded: one handle for each connection, made beforehand, and an index. */
final class SharedConnectionFactory implements MemcachedConnectionFactory {

    private final Engine engine;
    private final Mode mode;
    private final EngineConnections connections;
    private final MemcachedConnection[] handles;

    SharedConnectionFactory(Engine engine, Mode mode, EngineConnections connections) {
        this.engine = engine;
        this.mode = mode;
        this.connections = connections;
        this.handles = new MemcachedConnection[connections.size()];
        for (int index = 0; index < handles.length; index++) {
            MemcachedClient<EncodedValue> client = connections.connection(index);
            handles[index] = new ClientConnection(() -> client, SharedConnectionFactory::keepOpen);
        }
    }

    /** Closing a handle leaves its connection to the other callers; the factory closes it. */
    private static void keepOpen() {}

    @Override
    public MemcachedConnection getConnection() {
        return handles[connections.choose()];
    }

    @Override
    public Engine engine() {
        return engine;
    }

    @Override
    public Mode mode() {
        return mode;
    }

    @Override
    public void close() {
        connections.close();
    }
}
