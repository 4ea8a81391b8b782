// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Figures and events of one second, for the page. {@code time} is in milliseconds since 1970. */
public record Moment(
        long time,
        Figures.OfPeriod second,
        Run run,
        List<ServerView> servers,
        @Nullable Outage outage,
        List<String> events) {

    /**
     * Run of the shop with one setup. Its {@code figures} begin after the warm-up.
     *
     * @param medianThroughput median of the last {@value Figures#MEDIAN_SECONDS} seconds after the warm-up, in answered
     *     requests per second; 0 during the warm-up
     * @param isDisturbed whether a server was stopped or started during the run, or was already down at its start
     */
    public record Run(
            int number,
            Setup setup,
            Figures.OfPeriod figures,
            double medianThroughput,
            boolean isWarm,
            boolean isDisturbed) {}

    /** Stop of a server and its consequences. The time of an event is null until the event happens. */
    record Outage(
            int server,
            String address,
            Instant stopped,
            @Nullable Instant ejected,
            @Nullable Instant started,
            @Nullable Instant back,
            long failures) {

        static Outage of(int server, String address) {
            return new Outage(server, address, Instant.now(), null, null, null, 0);
        }

        Outage withStart(Instant start) {
            return new Outage(server, address, stopped, ejected, start, null, failures);
        }
    }

    /**
     * Server and its connections.
     *
     * @param state a {@link io.memshard.client.listener.ServerState}, {@link #NO_CONNECTION} or {@link #UNUSED}
     */
    record ServerView(
            int number,
            String address,
            String description,
            boolean running,
            String state,
            String reason,
            List<OneConnection> connections) {

        /** State in which commands go to the server, but no connection is ready. */
        static final String NO_CONNECTION = "NO CONNECTION";

        static final String UNUSED = "NOT USED";

        static ServerView of(
                int number, SampleServer server, String state, String reason, List<OneConnection> connections) {
            return new ServerView(
                    number, server.address(), server.description(), server.isRunning(), state, reason, connections);
        }
    }

    /**
     * Connection to a server.
     *
     * @param state a {@link io.memshard.client.listener.ConnectionState}, or {@code UNKNOWN}
     * @param socket name of this socket if the connection has two sockets; null if it has only one
     */
    record OneConnection(
            String state, int inFlight, @Nullable String socket) {}
}
