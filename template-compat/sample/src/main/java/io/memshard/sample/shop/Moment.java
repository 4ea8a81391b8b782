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

    /** Run of the shop with one setup. A run is disturbed if a server was down, stopped or started meanwhile. */
    public record Run(
            int number,
            Setup setup,
            Figures.OfPeriod figures,
            double medianThroughput,
            boolean isWarm,
            boolean isDisturbed) {}

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

    /** Server with its connections. {@code state} is a ServerState, {@link #NO_CONNECTION} or {@link #UNUSED}. */
    record ServerView(
            int number,
            String address,
            String description,
            boolean running,
            String state,
            String reason,
            List<OneConnection> connections) {

        static final String NO_CONNECTION = "NO CONNECTION";
        static final String UNUSED = "NOT USED";

        static ServerView of(
                int number, SampleServer server, String state, String reason, List<OneConnection> connections) {
            return new ServerView(
                    number, server.address(), server.description(), server.isRunning(), state, reason, connections);
        }
    }

    record OneConnection(
            String state, int inFlight, @Nullable String socket) {}
}
