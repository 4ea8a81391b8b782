// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

/** States of a connection, in the order of its life. */
public enum ConnectionState {
    /** No command has been sent and no socket opened yet. */
    NEW,
    /** A first attempt to connect, also after the server has closed the socket, is in progress; commands are queued. */
    CONNECTING,
    /** The server has answered; commands are sent. */
    READY,
    /** The socket was lost or could not be opened; commands fail immediately until an attempt succeeds. */
    RECONNECTING,
    /** Closed by this client, permanently. */
    CLOSED
}
