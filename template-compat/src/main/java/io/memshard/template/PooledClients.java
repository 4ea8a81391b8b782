package io.memshard.template;

import io.memshard.client.MemcachedClient;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.EncodedValue;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.jspecify.annotations.Nullable;

/**
 * Opens and closes the pool's clients, and knows those that are open, wherever they are.
 *
 * <p>A client that {@linkplain EngineConnections#reconnectsSoon reconnects soon} is kept here when the pool gives it
 * up, and asked again before another would be opened; the question waits for its first attempt to reconnect, and fails
 * at once after that. When one is back, so is the server: the others that still wait for their next attempt are closed
 * then, and opened anew when they are needed. As the pool makes no more than its size, and a client is kept before its
 * place is free, there are never more than that.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Memory effects: a client is in {@link #open} before {@link #closed} is read, and that is written before the
 * former is walked; so a client that is opened while the pool closes is closed by one of the two.
 */
final class PooledClients extends BasePooledObjectFactory<EngineConnections> {

    private final Supplier<EngineConnections> opener;
    private final Set<EngineConnections> open = ConcurrentHashMap.newKeySet();

    /** Open, and out of the pool since their connections were lost. */
    private final Queue<EngineConnections> lost = new ConcurrentLinkedQueue<>();

    private volatile boolean closed;

    PooledClients(Supplier<EngineConnections> opener) {
        this.opener = opener;
    }

    /** A client that has answered: the first choice is one that was lost and is back. */
    @Override
    public EngineConnections create() {
        EngineConnections kept = takeLost();
        EngineConnections client = kept == null ? opened() : kept;
        try {
            MemcachedClient<EncodedValue> asked = client.connection(0);
            if (client.reconnectsSoon()) {
                // The second attempt waits for a connection that was lost just now.
                asked = asked.withFailurePolicy(FailurePolicy.RETRY_ONCE_IF_SAFE);
            }
            asked.version();
        } catch (RuntimeException e) {
            giveUp(client);
            throw e;
        }
        if (kept != null) {
            closeStillLost();
        }
        return client;
    }

    private void closeStillLost() {
        for (EngineConnections client : List.copyOf(lost)) {
            if (!client.isReady(0) && lost.remove(client)) {
                close(client);
            }
        }
    }

    private @Nullable EngineConnections takeLost() {
        for (EngineConnections client : List.copyOf(lost)) {
            if (client.isReady(0) && lost.remove(client)) {
                return client;
            }
        }
        return lost.poll();
    }

    private EngineConnections opened() {
        EngineConnections client = opener.get();
        open.add(client);
        if (closed) {
            client.close(); // whoever asks it next is told so
        }
        return client;
    }

    @Override
    public PooledObject<EngineConnections> wrap(EngineConnections client) {
        return new DefaultPooledObject<>(client);
    }

    @Override
    public void destroyObject(PooledObject<EngineConnections> pooled) {
        giveUp(pooled.getObject());
    }

    private void giveUp(EngineConnections client) {
        if (client.reconnectsSoon() && !closed) {
            lost.add(client);
        } else {
            close(client);
        }
    }

    int open() {
        return open.size();
    }

    void closeAll() {
        closed = true;
        open.forEach(this::close);
    }

    private void close(EngineConnections client) {
        open.remove(client);
        client.close();
    }
}
