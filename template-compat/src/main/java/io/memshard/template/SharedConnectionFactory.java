package io.memshard.template;

import io.memshard.template.engine.EngineConnections;

/** Modes single and sharded: handles made beforehand, one per connection, and an index. */
final class SharedConnectionFactory implements MemcachedConnectionFactory {

    private final Engine engine;
    private final Mode mode;
    private final EngineConnections connections;
    private final SharedConnection[] handles;

    SharedConnectionFactory(Engine engine, Mode mode, EngineConnections connections) {
        this.engine = engine;
        this.mode = mode;
        this.connections = connections;
        this.handles = new SharedConnection[connections.size()];
        for (int index = 0; index < handles.length; index++) {
            handles[index] = new SharedConnection(connections.connection(index));
        }
    }

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
