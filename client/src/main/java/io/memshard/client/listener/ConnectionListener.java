// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.ServerAddress;
import org.jspecify.annotations.Nullable;

/**
 * Receiver of events of commands, connections and servers, for metrics, logs and alarms.
 *
 * <p>Failure: an exception of a listener is logged and changes nothing else.
 */
public interface ConnectionListener {

    /**
     * Called when a command has completed.
     *
     * <p>Threading: called by many threads at once: threads of blocking calls, and threads that complete futures. Must
     * not block, because the calling thread may be an event loop, which does I/O for other callers.
     */
    default void commandEnded(CommandEnd end) {}

    /**
     * Called when the state of a connection has changed. The state may already have changed again.
     *
     * <p>Threading: called by one thread of the client at a time. The changes of one connection arrive in order. If the
     * listener blocks and 16,384 changes are waiting, further changes are dropped. The first drop is logged.
     *
     * @param cause the failure that caused the change; null if no failure caused it
     */
    default void stateChanged(
            ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {}

    /**
     * Called when the {@link ServerState} of a server has changed. The state may already have changed again.
     *
     * <p>Threading: see {@link #stateChanged}.
     */
    default void serverStateChanged(ServerStatus before, ServerStatus now) {}

    /**
     * Called when a server has left the client's list of servers and has had no connection for ten seconds. The
     * listener may discard its data about the server. If the server joins the list again, it counts as a new server.
     *
     * <p>Threading: see {@link #stateChanged}. Called after the last {@link #stateChanged} of the server's connections.
     */
    default void serverLeft(ServerAddress server) {}

    /**
     * Called each time the source of service discovery has returned its list of servers, even if the list is unchanged.
     * Also called with 0 servers when the client is closed.
     *
     * <p>Threading: called by the discovery's thread, which waits until this method returns.
     *
     * @param source description of the source
     * @param servers number of servers that the client now uses
     */
    default void discovered(String source, int servers) {}

    /**
     * Called when a command has succeeded or failed in a client with zones. Each zone is a group of servers that
     * together hold a copy of the data.
     *
     * <p>Threading: called by many threads at once, including threads that do I/O for other callers; must not block.
     */
    default void zonesEnded(ZoneOutcome outcome) {}

    /**
     * Called when a command has failed in a zone and no caller waited for its result. For example, enough other zones
     * had completed the write, or the client copied a value to this zone after a read.
     *
     * <p>Threading: see {@link #zonesEnded}.
     */
    default void zoneFailedLater(String zone, String operation, MemcachedException failure) {}

    /** Returns the observer of calls; null (the default) if calls are not observed. Called once for each client. */
    default @Nullable CallObserver callObserver() {
        return null;
    }

    /**
     * Returns a listener that calls this listener and then {@code other}, even if this listener throws. If both
     * listeners have an observer of calls, only this listener's observer is used.
     */
    default ConnectionListener and(ConnectionListener other) {
        return new ListenerPair(this, other);
    }
}
