// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.sample.servers.SampleServer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Server as the page shows it.
 *
 * @param number number of the server, from 0
 * @param address {@code host:port}
 * @param description kind of server
 * @param running whether the server runs; true if unknown
 * @param whyNotStoppable empty if the server can be stopped and started
 * @param state a {@link io.memshard.client.listener.ServerState}, {@link #NO_CONNECTION} or {@link #UNUSED}
 * @param reason reason for the state; may be empty
 * @param connections connections to the server
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

    /** State in which commands go to the server, but no connection is ready. */
    static final String NO_CONNECTION = "NO CONNECTION";

    static final String UNUSED = "NOT USED";

    static final String UNKNOWN = "UNKNOWN";

    /**
     * Connection to a server.
     *
     * @param state a {@link io.memshard.client.listener.ConnectionState}, or {@link #UNKNOWN}
     * @param inFlight number of commands that await their reply
     * @param socket name of one of the connection's two sockets; null for the only one
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
                "The shop uses the first server only.",
                List.of());
    }
}
