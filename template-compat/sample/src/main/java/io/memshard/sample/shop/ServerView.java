// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.sample.servers.SampleServer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server as the page shows it.
 *
 * @param number from 0
 * @param address {@code host:port}
 * @param description what it is
 * @param running whether it was not stopped
 * @param whyNotStoppable empty if it can be stopped and started
 * @param state a {@link io.memshard.client.listener.ServerState}, {@link #NO_CONNECTION} or {@link #UNUSED}
 * @param reason for that state; may be empty
 * @param connections to it
 */
public record ServerView(
        int number,
        String address,
        String description,
        boolean running,
        String whyNotStoppable,
        String state,
        String reason,
        List<OneConnection> connections) {

    /** Commands would go there, and no connection is ready. */
    static final String NO_CONNECTION = "NO CONNECTION";

    /** The engine does not use it. */
    static final String UNUSED = "NOT USED";

    /** The engine does not tell. */
    static final String UNKNOWN = "UNKNOWN";

    /**
     * A connection.
     *
     * @param state a {@link io.memshard.client.listener.ConnectionState}, or {@link #UNKNOWN}
     * @param inFlight commands that wait for their reply
     * @param socket which of two sockets of a connection it is; null for the only one
     */
    public record OneConnection(
            String state, int inFlight, @Nullable String socket) {}

    static ServerView unused(int number, SampleServer server) {
        return new ServerView(
                number,
                server.address(),
                server.description(),
                server.isRunning(),
                server.whyNotStoppable(),
                UNUSED,
                "A template has one server with the engine spymemcached.",
                List.of());
    }
}
