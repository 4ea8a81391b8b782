// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncAsBlocking;
import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.AdminClient;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionFixture;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.connection.EachTransport;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
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
        settings.connectTimeout(NEVER);
    }

    /** One row: its server, the connection to it and the call. */
    private final class Played {

        private final HostileReply reply;
        private final ScriptedServer server;
        private final Connection connection;
        private final MemcachedClient<String> client;
        private final FutureTask<@Nullable Object> call;

        Played(HostileReply reply, ConnectionGroup group, boolean async) {
            this.reply = reply;
            server = scriptedServer().onConnection(this::play).onConnection(ConnectionFixture::answer);
            connection = connect(group, address(server));
            client = client(connection, async);
            AdminClient admin = Clients.admin(Map.of(address(server), connection), NEVER);
            call = new FutureTask<>(() -> outcome(() -> reply.asked().ask(client, admin)));
        }

        private void play(ScriptedConnection c) throws InterruptedException {
            greet(c);
            String opaque = readRequest(c, c.readLine());
            boolean replaced = reply.ending().isReplaced();
            try {
                reply.deed().play(c, opaque);
            } catch (UncheckedIOException e) {
                assertThat(replaced).as("closed by the client: " + e).isTrue();
            }
            if (!replaced) {
                answer(c);
            }
        }

        void endsAsItShould() throws Exception {
            Object outcome = call.get(1, TimeUnit.MINUTES);
            Class<? extends MemcachedException> failure = reply.ending().failure();
            if (failure == null) {
                assertThat(outcome).as("%s", reply).isEqualTo(reply.asked().result());
            } else {
                assertThat(outcome)
                        .as("%s", reply)
                        .isInstanceOfSatisfying(
                                failure, e -> assertThat(e.isSafeToRetry()).isFalse());
            }
        }

        void worksAgain() {
            boolean replaced = reply.ending().isReplaced();
            eventually(reply + ": replaced", () -> server.connections() > (replaced ? 1 : 0));
            eventually(reply + ": works again", () -> HostileReplyIT.worksAgain(client));
            assertThat(connection.inFlight()).as("%s", reply).isZero();
            assertThat(server.connections() > 1).as("%s: replaced", reply).isEqualTo(replaced);
        }
    }

    /** A row is asked by a blocking call over one transport, by an asynchronous call over the other. */
    private List<Played> played(Protocol protocol, boolean silent) {
        settings.protocol(protocol);
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        List<Played> played = new ArrayList<>();
        for (HostileReply row : protocol == Protocol.META ? MetaReplies.rows() : ClassicReplies.rows()) {
            if (silent == (row.ending() == HostileReply.Ending.SILENT)) {
                played.add(new Played(row, group, (transport == Transport.EVENT_LOOP) == (played.size() % 2 == 0)));
            }
        }
        return played;
    }

    @ParameterizedTest
    @EnumSource(names = {"META", "CLASSIC"})
    void callEndsAsItShould(Protocol protocol) throws Exception {
        List<Played> played = played(protocol, false);
        for (Played each : played) {
            each.call.run();
            each.endsAsItShould();
        }
        played.forEach(Played::worksAgain);
    }

    /** The liveness timeout finds it out. */
    @ParameterizedTest
    @EnumSource(names = {"META", "CLASSIC"})
    void callOfAServerThatFallsSilentFails(Protocol protocol) throws Exception {
        settings.livenessTimeout(Duration.ofMillis(400)); // Further losses do no harm here.
        List<Played> played = played(protocol, true);
        played.forEach(each -> new Thread(each.call, "caller").start());
        for (Played each : played) {
            each.endsAsItShould();
        }
        played.forEach(Played::worksAgain);
    }

    private static MemcachedClient<String> client(Connection connection, boolean async) {
        return async
                ? AsyncAsBlocking.of(Clients.async(connection, Transcoder.utf8(), MAX_VALUE_BYTES, NEVER))
                : Clients.blocking(connection, Transcoder.utf8(), MAX_VALUE_BYTES, NEVER);
    }

    private interface Call {
        @Nullable
        Object make();
    }

    /** What the call returns, or its failure. */
    private static @Nullable Object outcome(Call call) {
        try {
            return call.make();
        } catch (MemcachedException e) {
            return e;
        }
    }

    private static boolean worksAgain(MemcachedClient<String> client) {
        Object outcome = outcome(() -> client.get("again"));
        if (outcome instanceof MemcachedConnectionException) {
            return false;
        }
        assertThat(outcome).isEqualTo("value of again");
        return true;
    }

    /** Reads the rest of a command, of which {@code line} was read. Returns its opaque, empty if it has none. */
    private static String readRequest(ScriptedConnection server, String line) {
        String last = line;
        switch (line.split(" ")[0]) {
            case "set", "add" -> server.readLine();
            case "stats", "flush_all" -> server.expectLine("version");
            case "ms" -> last = readData(server, line);
            default -> {
                // It has no more lines, unless it is one of many quiet ones.
            }
        }
        if (line.contains(" q")) {
            while (!last.equals("mn")) {
                last = server.readLine();
            }
        }
        int opaque = line.lastIndexOf(" O");
        return opaque < 0 ? "" : line.substring(opaque + 2).split("\\.")[0];
    }

    private static String readData(ScriptedConnection server, String line) {
        server.readLine();
        return line;
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
            settings.protocol(protocol);
            ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
            for (String reply : replies) {
                ScriptedServer server = scriptedServer()
                        .onConnection(c -> {
                            greet(c).send(replyTo(c.readLine())).stall();
                            c.send(reply.replace("|", "\r\n")).ignore();
                        })
                        .onConnection(ConnectionFixture::answer);
                servers.add(server);
                connections.add(connect(group, address(server)));
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
