// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.listener.ConnectionListener;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a listener for changes of state: by one thread, and so in one order.
 *
 * <p>Threading: thread-safe. Nobody waits for the listener. While {@value #MOST} changes wait for it, further ones are
 * dropped, because a server that flaps makes more of them without end.
 */
final class Announcer {

    /** How many changes may wait for the listener. */
    static final int MOST = 16 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private final @Nullable ConnectionListener listener;
    private final SerialTasks changes;

    /** How many were dropped since the log was told of it last. Guarded by this. */
    private long dropped;

    Announcer(@Nullable ConnectionListener listener, Executor threads) {
        this.listener = listener;
        changes = new SerialTasks(threads, MOST);
    }

    /** Has the listener called, if there is one. */
    void announce(Object subject, Consumer<ConnectionListener> change) {
        ConnectionListener called = listener;
        if (called != null && !changes.offer(() -> announce(subject, change, called))) {
            drop();
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
            LOG.warn("the listener is slow: {} changes wait for it, and further ones are dropped", MOST);
        }
    }

    /** Goes on after an Error, and tells the log when the listener has caught up. The timer's call. */
    void tick() {
        changes.start();
        long missed;
        synchronized (this) {
            missed = dropped;
            if (missed == 0 || !changes.isEmpty()) {
                return;
            }
            dropped = 0;
        }
        LOG.warn("the listener has caught up; {} changes were dropped", missed);
    }
}
