package io.memshard.client.listener;

import io.memshard.client.options.ServerAddress;

/**
 * The current status of a connection.
 *
 * <p>Threading: thread-safe. Each method describes the moment of its call.
 */
public interface ConnectionStatus {

    /** Whether a command would now be sent or queued, and would not fail because there is no socket. */
    boolean isReady();

    /** How many commands are queued or await their reply. */
    int inFlight();

    /** The state of the connection. */
    ConnectionState state();

    /** The server, as configured. */
    ServerAddress server();

    /** The position of this connection in its array, from 0. */
    int index();
}
