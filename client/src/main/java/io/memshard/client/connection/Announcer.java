// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.concurrent.DaemonThread;
import io.memshard.client.concurrent.FlightRecorder;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.ServerAddress;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Reporter of state changes to the flight recorder and the listener. Threading: thread-safe. */
final class Announcer {

    static final int MAX_WAITING = 16 * 1024;

    private static final ClientLog LOG = ClientLog.of(Connection.class);

    final @Nullable ConnectionListener listener;
    final ThreadPoolExecutor thread = DaemonThread.single("memshard-listener", MAX_WAITING, ClientThreads.IDLE_SECONDS);

    private final AtomicBoolean dropLogged = new AtomicBoolean();

    private volatile Runnable onFailure = () -> {};

    Announcer(@Nullable ConnectionListener listener) {
        this.listener = listener;
        thread.setRejectedExecutionHandler((task, pool) -> {
            if (!pool.isShutdown() && dropLogged.compareAndSet(false, true)) {
                LOG.warn(
                        "the ConnectionListener is slow: {} events wait for it, and further events are dropped",
                        MAX_WAITING);
            }
        });
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
            new ConnectionStateEvent(context, from, to, cause).commit();
        }
        if (to == ConnectionState.RECONNECTING) {
            onFailure.run();
        }
        announce(connection, each -> each.stateChanged(connection, from, to, cause));
    }

    void serverStateChanged(ServerStatus before, ServerStatus now) {
        if (FlightRecorder.IS_PRESENT) {
            new ServerStateEvent(before, now).commit();
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
        thread.execute(() -> {
            try {
                change.accept(called);
            } catch (Throwable e) {
                LOG.warn("{}: the ConnectionListener threw an exception", subject, e);
            }
        });
    }

    @Name("io.memshard.ConnectionState")
    @Label("Memcached Connection State")
    @Description("A connection changed its state")
    @Category("Memshard")
    @StackTrace(false)
    @SuppressWarnings("UnusedVariable") // The flight recorder reads the fields.
    private static final class ConnectionStateEvent extends Event {

        private final String server;
        private final int connection;
        private final @Nullable String socket;
        private final String from;
        private final String to;
        private final @Nullable String cause;

        ConnectionStateEvent(LinkContext context, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
            server = context.server().toString();
            connection = context.index();
            socket = context.socket();
            this.from = from.name();
            this.to = to.name();
            this.cause = cause == null ? null : LinkFailure.describe(cause);
        }
    }

    @Name("io.memshard.ServerState")
    @Label("Memcached Server State")
    @Description("The state of a server changed to up, unreachable, ejected or probing")
    @Category("Memshard")
    @StackTrace(false)
    @SuppressWarnings("UnusedVariable") // The flight recorder reads the fields.
    private static final class ServerStateEvent extends Event {

        private final String server;
        private final String from;
        private final String to;
        private final @Nullable String reason;

        ServerStateEvent(ServerStatus before, ServerStatus now) {
            server = now.server().toString();
            from = before.state().name();
            to = now.state().name();
            reason = now.reason();
        }
    }
}
