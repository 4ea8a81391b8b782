// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.MemcachedClient;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.EncodedValue;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.jspecify.annotations.Nullable;

/**
 * Opens and closes the pool's clients, and knows all that are open, borrowed or not.
 *
 * <p>A client that {@linkplain EngineConnections#reconnectsSoon reconnects soon} is kept here when the pool gives it
 * up, and asked again before another would be opened. The first question waits for its first attempt to reconnect;
 * later ones fail at once. When one client is back, so is the server. The others that still wait for their next attempt
 * are then closed, and opened anew when they are needed. There are never more clients than the pool's size, because the
 * pool makes no more, and a client is kept before its place is free.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Memory effects: opening a client puts it into {@link #open} and then reads {@link #closed}; closing the pool
 * writes {@link #closed} and then walks {@link #open}. So one of the two closes a client that is opened while the pool
 * closes.
 */
final class PooledClients extends BasePooledObjectFactory<EngineConnections> {

    private final Supplier<EngineConnections> opener;
    private final Set<EngineConnections> open = ConcurrentHashMap.newKeySet();

    /** Open, but no longer in the pool because their connections were lost. */
    private final Queue<EngineConnections> lost = new ConcurrentLinkedQueue<>();

    private volatile boolean closed;

    /** How long a client may take to open its connection and answer. */
    private final Duration openTimeout;

    PooledClients(Supplier<EngineConnections> opener, Duration openTimeout) {
        this.opener = opener;
        this.openTimeout = openTimeout;
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
                asked = asked.withFailurePolicy(FailurePolicy.RETRY_ONCE_IF_SAFE)
                        .withTimeout(openTimeout);
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
            client.close(); // the next command on it fails with that reason
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

    /** Has each open client do something within what is left of a time; at least a millisecond. */
    void forEachWithin(Duration timeout, BiConsumer<EngineConnections, Duration> action) {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (EngineConnections client : open) {
            long left = deadline - System.nanoTime();
            action.accept(client, Duration.ofNanos(Math.max(left, 1_000_000)));
        }
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
