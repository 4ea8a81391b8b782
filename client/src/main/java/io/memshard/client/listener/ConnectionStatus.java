package io.memshard.client.listener;

import io.memshard.client.options.ServerAddress;

/**
 * How a connection is doing now.
 *
 * <p>Threading: thread-safe. Each method tells of the moment of its call.
 */
public interface ConnectionStatus {

    /** Whether a command sent now would be sent or queued, and not refused because there is no socket. */
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
