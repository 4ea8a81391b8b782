// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

/** The states of a connection, in the order in which it goes through them. */
public enum ConnectionState {
    /** No command was sent yet, so no socket was opened. */
    NEW,
    /**
     * The first attempt to connect, or the first after the loss of an idle socket, is under way; commands are queued.
     */
    CONNECTING,
    /** The server has answered; commands are sent. */
    READY,
    /** The socket was lost or could not be opened; commands fail at once until an attempt succeeds. */
    RECONNECTING,
    /** Closed by this client, for good. */
    CLOSED
}
