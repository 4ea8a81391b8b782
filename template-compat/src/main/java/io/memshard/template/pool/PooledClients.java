package io.memshard.template.pool;

import io.memshard.template.engine.EngineConnections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;

/** Opens and closes the pool's clients, and knows those that are open, wherever they are. */
final class PooledClients extends BasePooledObjectFactory<EngineConnections> {

    private final Supplier<EngineConnections> opener;
    private final Set<EngineConnections> open = ConcurrentHashMap.newKeySet();

    PooledClients(Supplier<EngineConnections> opener) {
        this.opener = opener;
    }

    @Override
    public EngineConnections create() {
        EngineConnections client = opener.get();
        open.add(client);
        try {
            client.connection(0).version();
        } catch (RuntimeException e) {
            close(client);
            throw e;
        }
        return client;
    }

    @Override
    public PooledObject<EngineConnections> wrap(EngineConnections client) {
        return new DefaultPooledObject<>(client);
    }

    @Override
    public void destroyObject(PooledObject<EngineConnections> pooled) {
        close(pooled.getObject());
    }

    int open() {
        return open.size();
    }

    void closeAll() {
        open.forEach(this::close);
    }

    private void close(EngineConnections client) {
        open.remove(client);
        client.close();
    }
}
