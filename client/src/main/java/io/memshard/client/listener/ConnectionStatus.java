// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import io.memshard.client.options.ServerAddress;
import org.jspecify.annotations.Nullable;

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

    /** How many bytes of memory their requests take, as they count against {@code maxBytesInFlight}. */
    long bytesInFlight();

    /** The state of the connection. */
    ConnectionState state();

    /** The server, as configured. */
    ServerAddress server();

    /** The position of this connection in its array, from 0. */
    int index();

    /**
     * Which of two sockets of the connection this is, such as {@code event loop}; null for the first or only one. Each
     * of the two has a status of its own.
     */
    default @Nullable String socket() {
        return null;
    }
}
