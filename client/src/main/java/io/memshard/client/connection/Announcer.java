// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.concurrent.FlightRecorder;
import io.memshard.client.link.LinkContext;
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
 * Announcer of state changes to the flight recorder and the listener. Calls the listener on one thread at a time, in
 * the order of the changes. If {@value #MAX_WAITING} changes wait for the listener, further changes are dropped.
 * Threading: thread-safe.
 */
final class Announcer {

    static final int MAX_WAITING = 16 * 1024;

    private static final ClientLog LOG = ClientLog.of(Connection.class);

    private final @Nullable ConnectionListener listener;
    private final ThreadPoolExecutor thread;

    private volatile Runnable onFailure = () -> {};

    /** True from the log line about dropped changes until the queue is empty. */
    private volatile boolean dropLogged;

    Announcer(@Nullable ConnectionListener listener, ThreadPoolExecutor thread) {
        this.listener = listener;
        this.thread = thread;
    }

    void onFailure(Runnable task) {
        onFailure = task;
    }

    void stateChanged(
            LinkContext context,
            ConnectionStatus connection,
            ConnectionState from,
            ConnectionState to,
            @Nullable Throwable cause) {
        if (FlightRecorder.IS_PRESENT) {
            StateEvent.record(context, from, to, cause);
        }
        if (to == ConnectionState.RECONNECTING) {
            onFailure.run();
        }
        announce(connection, each -> each.stateChanged(connection, from, to, cause));
    }

    void serverStateChanged(ServerStatus before, ServerStatus now) {
        if (FlightRecorder.IS_PRESENT) {
            ServerStateEvent.record(before, now);
        }
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
        dropLogged &= !thread.getQueue().isEmpty();
        try {
            thread.execute(() -> announce(subject, change, called));
        } catch (RejectedExecutionException e) {
            if (!thread.isShutdown() && !dropLogged) {
                dropLogged = true;
                LOG.warn("the listener is slow: {} changes are queued, and further changes are dropped", MAX_WAITING);
            }
        }
    }

    private static void announce(Object subject, Consumer<ConnectionListener> change, ConnectionListener called) {
        try {
            change.accept(called);
        } catch (Throwable e) {
            LOG.warn("{}: the listener failed", subject, e);
        }
    }
}
