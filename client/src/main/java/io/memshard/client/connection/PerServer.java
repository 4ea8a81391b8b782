// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.ejection.ServerWatch;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the connections to a server share: its log, its budget of sockets, and the watch over whether it is there.
 *
 * <p>Threading: thread-safe.
 */
final class PerServer implements ServerWatch.Actions {

    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    /** For so long it is kept without a connection. */
    private static final long UNUSED_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Made before: there may be no memory for what was thrown. */
    private static final String PROBE_FAILED = "no probe could be made";

    final ServerLog log;
    final SocketBudget sockets;
    final ServerWatch watch;

    private final ConnectionGroup group;
    private final ServerProbe probe;
    /** Changed under the monitor of this. */
    private final List<ReconnectingConnection> connections = new CopyOnWriteArrayList<>();

    /** Guarded by this. */
    private long unusedSinceNanos = System.nanoTime();

    PerServer(ServerAddress server, ConnectionOptions options, ConnectionGroup group, Logger logger) {
        this.group = group;
        log = new ServerLog(server, logger, System::nanoTime);
        sockets = new SocketBudget(options.backoff(), System.nanoTime());
        watch = new ServerWatch(
                server,
                this,
                InstantSource.system(),
                // Not of one thread: the timer is another one after an Error.
                () -> ThreadLocalRandom.current().nextLong());
        probe = group.newProbe(server, this);
    }

    /** A connection to the server was made. */
    synchronized void add(ReconnectingConnection connection) {
        connections.add(connection);
        sockets.share(connections.size(), System.nanoTime());
    }

    /** A connection was closed for good. */
    synchronized void remove(ReconnectingConnection connection) {
        connections.remove(connection);
        unusedSinceNanos = System.nanoTime();
        sockets.share(Math.max(1, connections.size()), unusedSinceNanos);
    }

    /** Whether there has been no connection for a while. Not at once: one may be about to be added. */
    synchronized boolean isUnused(long nowNanos) {
        return connections.isEmpty() && nowNanos - unusedSinceNanos >= UNUSED_NANOS;
    }

    /** The timer's call, after those of the connections. */
    void tick(long nowNanos) {
        watch.tick(nowNanos);
        log.tick();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // The watch is told of the end.
    public void probe() {
        try {
            // Before attempts that others have failed: it is one at a time, and callers profit from its answer.
            group.connect(this::runProbe, 0);
        } catch (Throwable e) {
            // The client is closed, or no thread can be started now. Perhaps one can later.
            watch.probed(PROBE_FAILED);
        }
    }

    private void runProbe() {
        @Nullable String why = PROBE_FAILED;
        try {
            why = probe.run();
        } finally {
            watch.probed(why);
        }
    }

    @Override
    public void reconnect() {
        connections.forEach(ReconnectingConnection::attemptNow);
    }

    @Override
    public boolean isReconnected() {
        return connections.stream().noneMatch(each -> each.state() == ConnectionState.RECONNECTING);
    }

    @Override
    public boolean isCutOff() {
        boolean cutOff = false;
        for (ReconnectingConnection each : connections) {
            if (each.state() == ConnectionState.READY) {
                return false;
            }
            cutOff |= each.isCutOff();
        }
        return cutOff;
    }

    @Override
    public void changed(ServerStatus before, ServerStatus now) {
        try {
            log.changed(before, now);
            ServerStateEvent.record(before, now);
            group.announcer().serverStateChanged(before, now);
        } catch (Throwable e) {
            // What comes after a change of state must come, whether it could be told or not.
            LOG.error("{}: {} after {} could not be told", now.server(), now.state(), before.state(), e);
        }
    }
}
