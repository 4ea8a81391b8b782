// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever a server does, it gets few sockets, and the log few lines, while callers send all the time. */
@ParameterizedClass
@CsvSource({"EVENT_LOOP, META", "CALLER_DRIVEN, CLASSIC", "AUTO, AUTO"})
@Timeout(120)
class AttemptsIT extends ConnectionFixture {

    private static final int CONNECTIONS = 2;
    private static final long WATCHED_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

    /** The two sockets of an automatic connection, five for each to find out the protocol, and one was there. */
    private static final int MOST_ON_CREDIT = 9;

    private static CertificateAuthority authority;
    private static CertificateAuthority stranger;

    private enum Behaviour {
        CLOSES_WHEN_ACCEPTED(ScriptedConnection::cut),
        RESETS_WHEN_ACCEPTED(ScriptedConnection::reset),
        CLOSES_WHEN_ASKED(c -> c.readLine()),
        KNOWS_NO_COMMAND(c -> c.replyTo(line -> "ERROR\r\n")),
        DEMANDS_A_LOGIN(c -> c.replyTo(line -> "CLIENT_ERROR unauthenticated\r\n")),
        IS_BUSY(c -> c.replyTo(line -> "SERVER_ERROR out of memory\r\n")),
        SPEAKS_ANOTHER_PROTOCOL(c -> c.send("220 mail.example.com ESMTP\r\n").readLine()),
        SENDS_GARBAGE(c -> c.garbage(10_000, 3).readLine()),
        IS_SILENT(ScriptedConnection::ignore),
        GREETS_AND_CLOSES(c -> greet(c)),
        GREETS_AND_SENDS_GARBAGE(c -> greet(c).garbage(1_000, 4).readLine()),
        GREETS_AND_CLOSES_ON_A_COMMAND(c -> greet(c).readLine()),
        ANSWERS_A_COMMAND_AND_CLOSES(c -> greet(c).send(replyTo(c.readLine()))),
        CLOSES_ON_MN_AND_ON_A_COMMAND(c -> {
            if (c.readLine().equals(PROBE)) {
                c.send("END\r\n").readLine();
            }
        }),
        SPEAKS_NO_TLS(c -> c.send("ERROR\r\n").readLine()),
        IS_NOT_TRUSTED(c -> greet(c)),
        GREETS_IN_TLS_AND_CLOSES(c -> greet(c));

        private final ScriptedServer.Script script;

        Behaviour(ScriptedServer.Script script) {
            this.script = script;
        }

        boolean isAboutTls() {
            return compareTo(SPEAKS_NO_TLS) >= 0;
        }

        /** Ends the connection with the script, also where the client ends it first. */
        void play(ScriptedConnection connection) throws IOException, InterruptedException {
            try {
                script.play(connection);
            } catch (AssertionError | UncheckedIOException e) {
                // The client has closed, or the TLS handshake has failed: it may.
            } finally {
                connection.cut();
            }
        }
    }

    private final Transport transport;

    AttemptsIT(Transport transport, Protocol protocol) {
        super(transport, protocol);
        this.transport = transport;
        delayAsUsual(settings);
    }

    private static ConnectionOptions.Builder delayAsUsual(ConnectionOptions.Builder its) {
        ConnectionOptions usual = ConnectionOptions.DEFAULTS;
        return its.reconnectDelay(usual.firstReconnectDelay(), usual.longestReconnectDelay());
    }

    @BeforeAll
    static void certify(@TempDir Path directory) {
        authority = CertificateAuthority.create(directory, "authority");
        stranger = CertificateAuthority.create(directory, "stranger");
    }

    /** A server that behaves so, and connections to it that are used all the time. */
    private final class Case {

        private final Behaviour behaviour;
        private final ScriptedServer server;
        private final RecordedLog log = new RecordedLog();
        private final ConnectionGroup group;
        private final List<Thread> callers = new ArrayList<>();

        private volatile boolean over;

        Case(Behaviour behaviour) {
            this.behaviour = behaviour;
            server = closedAfterwards(start()).expectTimeout(LONG).onConnection(behaviour::play);
            ConnectionOptions.Builder mine = delayAsUsual(newSettings(options().protocol()));
            if (behaviour == Behaviour.IS_SILENT) {
                mine.connectTimeout(BRIEF);
            }
            if (behaviour.isAboutTls()) {
                mine.tls(TlsOptions.trusting(authority.certificate()));
            }
            group = closedAfterwards(new ConnectionGroup(
                    mine.build(), 1, null, new PerServer.Environment(AddressResolver.SYSTEM, log.logger())));
            for (int i = 0; i < CONNECTIONS; i++) {
                Connection connection = group.newConnection(address(server), i, transport);
                callers.add(new Thread(() -> send(connection), "caller"));
            }
            callers.forEach(Thread::start);
        }

        private ScriptedServer start() {
            return switch (behaviour) {
                case IS_NOT_TRUSTED ->
                    ScriptedServer.start(CertificateAuthority.serverContext(stranger.issue("localhost", "127.0.0.1")));
                case GREETS_IN_TLS_AND_CLOSES ->
                    ScriptedServer.start(CertificateAuthority.serverContext(authority.issue("localhost", "127.0.0.1")));
                default -> ScriptedServer.start();
            };
        }

        private void send(Connection connection) {
            Duration patience = Duration.ofMillis(20);
            while (!over) {
                connection.send(get("a")).toFuture(patience);
                try {
                    connection.call(get("a"), patience.toNanos());
                } catch (MemcachedException e) {
                    // As expected of these servers.
                }
                LockSupport.parkNanos(1_000_000); // as often as a busy caller, and with a processor for the others
            }
        }

        void end() throws InterruptedException {
            over = true;
            for (Thread caller : callers) {
                caller.join();
            }
        }
    }

    @Test
    void socketsAndLinesOfTheLogStayWithinTheirBudget() throws InterruptedException {
        long start = System.nanoTime();
        List<Case> cases = Stream.of(Behaviour.values())
                .filter(behaviour -> !behaviour.isAboutTls() || transport != Transport.CALLER_DRIVEN)
                .map(Case::new)
                .toList();
        eventually("each tried", () -> cases.stream().allMatch(each -> each.server.connections() >= CONNECTIONS));
        eventually(
                "told",
                () -> cases.stream()
                        .filter(each -> each.behaviour == Behaviour.GREETS_AND_CLOSES)
                        .noneMatch(each -> each.log.lines().isEmpty()));
        LockSupport.parkNanos(WATCHED_NANOS); // what comes in this time is counted
        Map<Behaviour, Integer> sockets = new EnumMap<>(Behaviour.class);
        cases.forEach(each -> sockets.put(each.behaviour, each.server.connections()));
        int opening = CONNECTIONS * (transport == Transport.AUTO ? 2 : 1);
        long pace = SocketBudget.paceNanos(
                opening, options().longestReconnectDelay().toNanos());
        long paces = (System.nanoTime() - start) / pace + 1;
        Map<Behaviour, List<String>> lines = new EnumMap<>(Behaviour.class);
        cases.forEach(each -> lines.put(each.behaviour, each.log.lines()));
        for (Case each : cases) {
            each.end();
        }

        int most = SocketBudget.burst(opening) + opening * MOST_ON_CREDIT + (int) paces;
        assertThat(sockets).allSatisfy((behaviour, count) -> assertThat(count).isLessThanOrEqualTo(most));
        // The first failure, a recovery, the protocol; a summary where this took a minute.
        assertThat(lines).allSatisfy((behaviour, told) -> assertThat(told).hasSizeLessThanOrEqualTo(4));
    }
}
