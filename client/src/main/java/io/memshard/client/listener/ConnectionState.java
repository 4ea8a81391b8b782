// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

/** States of a connection, in their usual order. */
public enum ConnectionState {
    /** No command was sent yet, and no socket was opened. */
    NEW,
    /** The client connects for the first time, or again after the server has closed the socket. Commands are queued. */
    CONNECTING,
    /** The server has answered. Commands are sent. */
    READY,
    /** The socket was lost or could not be opened. Commands fail immediately until an attempt to connect succeeds. */
    RECONNECTING,
    /** The client has closed the connection permanently. */
    CLOSED
}
