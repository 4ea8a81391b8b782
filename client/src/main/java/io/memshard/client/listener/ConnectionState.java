// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

/** States of a connection, in the order of its life. */
public enum ConnectionState {
    /** No command was sent, and no socket was opened yet. */
    NEW,
    /**
     * The first attempt to connect is in progress, or the first one after the server has closed the socket. Commands
     * are queued.
     */
    CONNECTING,
    /** The server has answered. Commands are sent. */
    READY,
    /** The socket was lost or could not be opened. Commands fail immediately until an attempt to connect succeeds. */
    RECONNECTING,
    /** Closed by this client, permanently. */
    CLOSED
}
