// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.ServerAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Announcer of state changes. Calls the listener on one thread at a time, in the order of the changes.
 *
 * <p>Threading: thread-safe. No thread waits for the listener. While {@value #MAX_WAITING} changes wait for the
 * listener, further ones are dropped, because a server that flaps causes changes without end.
 */
final class Announcer {

    /** Maximum number of changes that wait for the listener. */
    static final int MAX_WAITING = 16 * 1024;

    private static final ClientLog LOG = ClientLog.of(Connection.class);

    private final @Nullable ConnectionListener listener;
    private final ThreadPoolExecutor thread;

    /** Task that runs after each failure. Written by {@link #onFailure}. */
    private volatile Runnable onFailure = () -> {};

    /** Number of changes dropped since the log last reported it. Guarded by this. */
    private long dropped;

    /**
     * Creates an announcer to a listener.
     *
     * @param listener the listener; null for none
     * @param thread executor of the calls to the listener, one after the other
     */
    Announcer(@Nullable ConnectionListener listener, ThreadPoolExecutor thread) {
        this.listener = listener;
        this.thread = thread;
    }

    /** Same as {@link ConnectionGroup#onFailure}. */
    void onFailure(Runnable task) {
        onFailure = task;
    }

    void stateChanged(
            ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
        if (to == ConnectionState.RECONNECTING) {
            onFailure.run();
        }
        announce(connection, each -> each.stateChanged(connection, from, to, cause));
    }

    void serverStateChanged(ServerStatus before, ServerStatus now) {
        if (before.state() == ServerState.UP) {
            onFailure.run();
        }
        announce(now.server(), each -> each.serverStateChanged(before, now));
    }

    void serverLeft(ServerAddress server) {
        announce(server, each -> each.serverLeft(server));
    }

    private void announce(Object subject, Consumer<ConnectionListener> change) {
        ConnectionListener called = listener;
        if (called == null) {
            return;
        }
        Runnable call = () -> announce(subject, change, called);
        try {
            thread.execute(call);
        } catch (RejectedExecutionException e) {
            if (!thread.isShutdown()) {
                drop();
            }
        } catch (OutOfMemoryError e) {
            // No thread can be started now. The change waits for a later tick.
        }
    }

    private static void announce(Object subject, Consumer<ConnectionListener> change, ConnectionListener called) {
        try {
            change.accept(called);
        } catch (Throwable e) {
            LOG.warn("{}: the listener failed", subject, e);
        }
    }

    private synchronized void drop() {
        if (dropped++ == 0) {
            LOG.warn("the listener is slow: {} changes are queued, and further changes are dropped", MAX_WAITING);
        }
    }

    /** Resumes the calls after an Error, and logs that the queue is empty. Called by the timer. */
    void tick() {
        boolean isEmpty = thread.getQueue().isEmpty();
        if (!isEmpty && thread.getPoolSize() == 0) {
            thread.execute(() -> {});
        }
        long missed;
        synchronized (this) {
            missed = dropped;
            if (missed == 0 || !isEmpty) {
                return;
            }
            dropped = 0;
        }
        LOG.warn("the listener has handled all queued changes; {} changes were dropped", missed);
    }
}
