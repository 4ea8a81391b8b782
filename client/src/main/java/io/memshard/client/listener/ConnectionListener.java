package io.memshard.client.listener;

import org.jspecify.annotations.Nullable;

/**
 * Is told what happens on connections: for metrics, logs and alarms.
 *
 * <p>Failure: what a listener throws is logged, and changes nothing else.
 */
public interface ConnectionListener {

    /**
     * A command has ended. Called by the thread that takes the result: the caller that was blocked, or the thread
     * that completes the future, which for a reply is one that does I/O for others too.
     *
     * <p>Threading: called by many threads at once; must not block.
     */
    default void commandEnded(CommandEnd end) {}

    /**
     * A connection has gone from one state to another; its state may be a later one already.
     *
     * <p>Threading: called by a thread of its own, in the order of the changes of each connection.
     *
     * @param cause what made it so, where that was a failure
     */
    default void stateChanged(
            ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {}

    /** This listener, and then {@code other}, which is told even if this throws. */
    default ConnectionListener and(ConnectionListener other) {
        return new ListenerPair(this, other);
    }
}
