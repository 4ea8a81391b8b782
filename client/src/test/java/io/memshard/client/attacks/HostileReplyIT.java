// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.AdminClient;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionFixture;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.connection.EachTransport;
import io.memshard.client.contract.AsyncAsBlocking;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever a server answers, a call ends with the right result or the failure that fits, and the connection works
 * afterwards, the same one or another.
 */
@EachTransport
@Timeout(300)
class HostileReplyIT extends ConnectionFixture {

    private static final int MAX_VALUE_BYTES = 1 << 20;

    /** Longer than a test lasts. */
    private static final Duration NEVER = Duration.ofMinutes(5);

    private final Transport transport;

    HostileReplyIT(Transport transport) {
        super(transport, Protocol.META);
        this.transport = transport;
        settings.connectTimeout = NEVER;
    }

    /** One row: its server, the connection to it, the call, and two gets behind it. */
    private final class Played {

        private final HostileReply reply;
        private final ScriptedServer server;
        private final Connection connection;
        private final MemcachedClient<String> client;
        private final CountDownLatch firstRead = new CountDownLatch(1);
        private final Map<String, CompletableFuture<String>> others = new LinkedHashMap<>();
        private CompletableFuture<?> call;

        Played(HostileReply reply, ConnectionGroup group, boolean async) {
            this.reply = reply;
            server = scriptedServer().onConnection(this::play).onConnection(ConnectionFixture::answer);
            connection = connect(group, server);
            client = client(connection, async);
        }

        private void play(ScriptedConnection c) throws InterruptedException {
            c.greet();
            boolean replaced = reply.ending().isReplaced();
            try {
                String first = c.readLine();
                firstRead.countDown();
                String b = reply.ending().isAlone() ? "" : get("b", c);
                String third = reply.ending().isAlone() ? "" : get("c", c);
                reply.deed()
                        .play(
                                c,
                                text -> text.replace("$b", number(b))
                                        .replace("$c", number(third))
                                        .replace("$2", second(first))
                                        .replace("$", number(first)));
                if (!replaced) {
                    answer(c.send(replyTo(b) + replyTo(third)));
                }
            } catch (UncheckedIOException | AssertionError e) {
                // Also for a timeout that ended the link before, on a busy machine.
                assertThat(replaced).as("closed by the client: " + e).isTrue();
            }
        }

        /** Reads what is left of the command before, and then the get of a key. */
        private static String get(String key, ScriptedConnection c) {
            String line = c.readLine();
            return line.matches("(mg|get) " + key + "( .*)?") ? line : get(key, c);
        }

        private static String number(String line) {
            return line.contains(" O") ? opaque(line) : "";
        }

        /** The opaque of the second key, for the line of the first key. */
        private static String second(String line) {
            String first = number(line);
            return first.isEmpty() ? "" : String.valueOf(Integer.parseInt(first) + (1 << 24));
        }

        /** Sends the commands in their order, half of the gets as a future. */
        void ask() {
            AdminClient admin = Clients.admin(Map.of(address(server), connection), NEVER);
            call = calling(() -> reply.asked().ask(client, admin));
            if (!reply.ending().isAlone()) {
                eventually(reply + ": sent", () -> firstRead.getCount() == 0 || call.isDone());
                others.put("b", connection.send(ConnectionFixture.get("b")).toFuture(NEVER));
                others.put("c", calling(() -> connection.call(ConnectionFixture.get("c"), NEVER.toNanos())));
            }
        }

        void endsAsItShould() {
            Object outcome = outcome(call);
            Class<? extends MemcachedException> failure = reply.ending().failure;
            if (failure == null) {
                assertThat(outcome).as("%s", reply).isEqualTo(reply.asked().result());
            } else {
                assertThat(outcome)
                        .as("%s", reply)
                        .isInstanceOfSatisfying(
                                failure,
                                e -> assertThat(e)
                                        .hasMessageContaining(reply.ending().reason)
                                        .matches(each -> !each.isSafeToRetry()));
            }
            others.forEach(this::endsRightly);
        }

        /** What is behind the reply has its own value, or shares its fate. */
        private void endsRightly(String key, CompletableFuture<String> other) {
            Object outcome = outcome(other);
            if (outcome instanceof Throwable failure) {
                assertThat(reply.ending().failureOfOthers)
                        .as("%s: %s of %s", reply, failure, key)
                        .isNotNull()
                        .isAssignableFrom(failure.getClass());
            } else if (!(outcome == null && reply.name().equals("extra miss"))) {
                assertThat(outcome).as("%s", reply).isEqualTo("value of " + key);
            }
        }

        void worksAgain() {
            boolean replaced = reply.ending().isReplaced();
            eventually(reply + ": replaced", () -> server.connections() > (replaced ? 1 : 0));
            eventually(reply + ": works again", () -> HostileReplyIT.worksAgain(client));
            eventually(reply + ": none in flight", () -> connection.inFlight() == 0);
            assertThat(server.connections() > 1).as("%s: replaced", reply).isEqualTo(replaced);
        }
    }

    /** A row is asked by a blocking call over one transport, by an asynchronous call over the other. */
    private List<Played> played(Protocol protocol, boolean silent) {
        settings.protocol = protocol;
        ConnectionGroup group = group();
        List<Played> played = new ArrayList<>();
        for (HostileReply row : protocol == Protocol.META ? HostileReplies.meta() : HostileReplies.classic()) {
            if (silent == (row.ending() == HostileReply.Ending.SILENT)) {
                played.add(new Played(row, group, (transport == Transport.EVENT_LOOP) == (played.size() % 2 == 0)));
            }
        }
        return played;
    }

    @ParameterizedTest
    @EnumSource(names = {"META", "CLASSIC"})
    void callEndsAsItShould(Protocol protocol) {
        List<Played> played = played(protocol, false);
        for (Played each : played) {
            each.ask();
            each.endsAsItShould();
        }
        played.forEach(Played::worksAgain);
    }

    /** The liveness timeout finds it out. */
    @ParameterizedTest
    @EnumSource(names = {"META", "CLASSIC"})
    void callOfAServerThatFallsSilentFails(Protocol protocol) {
        settings.livenessTimeout = Duration.ofMillis(400); // Further losses do no harm here.
        List<Played> played = played(protocol, true);
        played.forEach(Played::ask);
        played.forEach(Played::endsAsItShould);
        played.forEach(Played::worksAgain);
    }

    private static MemcachedClient<String> client(Connection connection, boolean async) {
        return async
                ? AsyncAsBlocking.of(Clients.blocking(connection, Transcoder.utf8(), MAX_VALUE_BYTES, NEVER)
                        .async())
                : Clients.blocking(connection, Transcoder.utf8(), MAX_VALUE_BYTES, NEVER);
    }

    private static @Nullable Object outcome(CompletableFuture<?> call) {
        return result(call.handle((value, failure) -> failure == null ? (Object) value : Futures.cause(failure)));
    }

    private static boolean worksAgain(MemcachedClient<String> client) {
        try {
            assertThat(client.get("again")).isEqualTo("value of again");
            return true;
        } catch (MemcachedConnectionException e) {
            return false;
        }
    }

    /** Bytes that come while nothing is in flight cost the connection, and give no command a value. */
    @Test
    void replyToNothingOnAnIdleConnectionGivesNoValue() {
        Map<Protocol, List<String>> rows = Map.of(
                Protocol.META,
                List.of("VA 5 f0 O0|wrong|", "VA 5 f0|wrong|", "MN|", "EN|", "HD O0|", "SERVER_ERROR x|", "half"),
                Protocol.CLASSIC,
                List.of("VALUE a 0 5|wrong|END|", "VALUE b 0 5|wrong|END|", "END|", "STORED|", "ERROR|", "half"));
        List<ScriptedServer> servers = new ArrayList<>();
        List<Connection> connections = new ArrayList<>();
        rows.forEach((protocol, replies) -> {
            settings.protocol = protocol;
            ConnectionGroup group = group();
            for (String reply : replies) {
                ScriptedServer server = scriptedServer()
                        .onConnection(c -> {
                            c.greet().send(replyTo(c.readLine())).stall();
                            c.send(reply.replace("|", "\r\n")).ignore();
                        })
                        .onConnection(ConnectionFixture::answer);
                servers.add(server);
                connections.add(connect(group, server));
            }
        });
        connections.forEach(ConnectionFixture::works);
        servers.forEach(server -> release(server, 0));

        for (ScriptedServer server : servers) {
            eventually("replaced", () -> server.connections() > 1);
        }
        connections.forEach(connection -> eventually("works again", () -> worksAgain(client(connection, false))));
    }
}
