// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

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
 * Factory of the pool's clients, which tracks every open client, borrowed or not.
 *
 * <p>A client that {@linkplain EngineConnections#reconnectsSoon reconnects soon} stays here after the pool has dropped
 * it. A new client is opened only if no dropped client is left. Otherwise a dropped client is queried, and rejoins the
 * pool if it answers. The first query waits for the first attempt to reconnect; later queries fail at once. Once one
 * client has reconnected, the dropped clients that have not reconnected are closed, because a new client connects
 * sooner.
 *
 * <p>There are never more clients than the pool's size. The pool creates a client only in a free slot, and a dropped
 * client is already kept here when its slot becomes free.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Memory effects: opening a client adds it to {@link #open} and then reads {@link #closed}. Closing the pool writes
 * {@link #closed} and then walks {@link #open}. So at least one of the two closes a client that is opened while the
 * pool closes.
 */
final class PooledClients extends BasePooledObjectFactory<EngineConnections> {

    private final Supplier<EngineConnections> opener;
    private final Set<EngineConnections> open = ConcurrentHashMap.newKeySet();

    /** Open clients that left the pool because they lost their connections. */
    private final Queue<EngineConnections> lost = new ConcurrentLinkedQueue<>();

    private volatile boolean closed;

    private final Duration openTimeout;

    PooledClients(Supplier<EngineConnections> opener, Duration openTimeout) {
        this.opener = opener;
        this.openTimeout = openTimeout;
    }

    /** Returns a client that has answered, preferably a dropped client that has reconnected. */
    @Override
    public EngineConnections create() {
        EngineConnections kept = takeLost();
        EngineConnections client = kept == null ? opened() : kept;
        try {
            client.checkAnswers(openTimeout);
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

    /** Applies {@code action} to each open client within the remaining time, at least a millisecond each. */
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
