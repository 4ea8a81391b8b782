// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import io.memshard.client.options.ServerAddress;
import org.jspecify.annotations.Nullable;

/**
 * Receives what happens on connections, for metrics, logs and alarms.
 *
 * <p>Failure: an exception of a listener is logged and changes nothing else.
 */
public interface ConnectionListener {

    /**
     * A command has ended. The thread that takes the result calls this: the caller that was blocked, or the thread that
     * completes the future. For a reply, the latter does I/O for other callers too.
     *
     * <p>Threading: called by many threads at once; must not block.
     */
    default void commandEnded(CommandEnd end) {}

    /**
     * A connection has changed from one state to another. Its current state may be a later one already.
     *
     * <p>Threading: called by a thread of its own, in the order of the changes of each connection. While 16,384 changes
     * wait for that thread, because the listener blocks, further ones are dropped. The log tells of that once, and of
     * their number when the listener has caught up.
     *
     * @param cause the failure that caused the change; null if there was none
     */
    default void stateChanged(
            ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {}

    /**
     * A server was ejected, has answered a probe, has failed to answer another, or was taken back. Its current state
     * may be a later one already.
     *
     * <p>Threading: called by the thread that calls {@link #stateChanged}, in the order of the changes.
     */
    default void serverStateChanged(ServerStatus before, ServerStatus now) {}

    /**
     * A server that left the topology has had no connection of this client for ten seconds. What was kept about it may
     * be dropped. A server that comes back begins anew.
     *
     * <p>Threading: called by the thread that calls {@link #stateChanged}, after the last change of its connections.
     */
    default void serverLeft(ServerAddress server) {}

    /**
     * A command of a client with zones has its result, or has failed: what became of it in one zone. Called for each
     * zone that was asked, and once more for a zone that fails after the caller has gone on.
     *
     * <p>Threading: called by many threads at once, also by those that do I/O for others; must not block.
     */
    default void zoneEnded(ZoneEnd end) {}

    /**
     * Returns what observes calls of the API as a whole; null, as by default, for nothing. Called once for each client,
     * when it is made.
     */
    default @Nullable CallObserver callObserver() {
        return null;
    }

    /** This listener, and then {@code other}, which is called even if this one throws. */
    default ConnectionListener and(ConnectionListener other) {
        return new ListenerPair(this, other);
    }
}
