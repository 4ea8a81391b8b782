// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import io.memshard.client.options.ServerAddress;
import org.jspecify.annotations.Nullable;

/** Current status of a connection. Threading: thread-safe. Each method returns the state at the moment of its call. */
public interface ConnectionStatus {

    /** Returns whether a command would now be sent or queued; otherwise it would fail because no socket is open. */
    boolean isReady();

    /** Returns the number of commands that are queued or awaiting their reply. */
    int inFlight();

    /** Returns the memory of the requests in flight, in bytes. This memory counts towards {@code maxBytesInFlight}. */
    long bytesInFlight();

    ConnectionState state();

    /** Returns the server, as configured. */
    ServerAddress server();

    /** Returns the position of this connection among the connections to its server, from 0. */
    int index();

    /**
     * Returns {@code event loop} for a socket of asynchronous calls and virtual threads, if other calls use separate
     * sockets; null otherwise. Each socket has a separate status.
     */
    default @Nullable String socket() {
        return null;
    }
}
