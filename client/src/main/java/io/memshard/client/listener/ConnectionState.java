package io.memshard.client.listener;

/** The states of a connection, in the order in which it goes through them. */
public enum ConnectionState {
    /** No command was sent yet, so no socket was opened. */
    NEW,
    /** The first attempt to connect is under way, or the one after an idle socket was lost; commands are queued. */
    CONNECTING,
    /** The server has answered; commands are sent. */
    READY,
    /** The socket was lost or could not be opened; commands are refused until an attempt succeeds. */
    RECONNECTING,
    /** Closed by this side, for good. */
    CLOSED
}
