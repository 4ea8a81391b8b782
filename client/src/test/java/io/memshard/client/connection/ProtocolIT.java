// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import io.memshard.testkit.fault.FaultProxy;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which protocol is spoken with which server, and with which none. */
@MemcachedTest
@EachTransport
@Timeout(120)
class ProtocolIT extends ConnectionFixture {

    /** A time to connect within that is meant to pass, and long enough for TLS. */
    private static final Duration PASSING = Duration.ofMillis(300);

    private static final String ASKED = META_PROBE + "1\r\nmn\r\n";
    private static final String ASKED_AFTER_GET = PROBE + "\r\n" + META_PROBE + "2\r\nmn\r\n";

    private static final String HANG_UP = "hang up";
    private static final String RESET = "reset";

    private final MemcachedServer memcached;

    ProtocolIT(Transport transport, MemcachedServer memcached) {
        super(transport, Protocol.AUTO);
        this.memcached = memcached;
    }

    /** A server that answers the questions of the handshake like this, also by hanging up, and gets as it should. */
    private static ScriptedServer.Script asked(String replyToMn, String replyToGet) {
        return asked(replyToMn.equals("MN\r\n") ? "EN O#\r\n" : replyToMn, replyToMn, replyToGet);
    }

    private static ScriptedServer.Script asked(String replyToMg, String replyToMn, String replyToGet) {
        return c -> c.replyTo(line -> {
            String reply = line.startsWith(META_PROBE)
                    ? replyToMg.replace("#", String.valueOf(opaque(line)))
                    : line.equals("mn") ? replyToMn : line.equals(PROBE) ? replyToGet : replyTo(line);
            if (reply.endsWith(HANG_UP)) {
                c.send(reply.substring(0, reply.length() - HANG_UP.length())).cut();
            } else if (reply.equals(RESET)) {
                c.reset();
            }
            return reply;
        });
    }

    private static ScriptedServer.Script oldMemcached() {
        return asked("ERROR\r\n", "END\r\n");
    }

    private static void loseACommand(ScriptedConnection c) {
        c.greet().readLine();
        c.cut();
    }

    private static void speaksClassic(Connection connection) {
        works(connection);
        assertThatExceptionOfType(MemcachedUnsupportedException.class)
                .isThrownBy(() -> connection.call(createdByCounting(), LONG_NANOS));
    }

    private void firstCallFails(ScriptedServer server, String reason) {
        assertThat(failedCall(connect(server)))
                .hasMessageContaining(reason)
                .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue());
    }

    @Test
    void metaIsUsedOnOneSocketIfTheServerAnswersMn() {
        ScriptedServer server = answeringServer();
        works(connect(server));

        assertThat(received(server, 0)).contains("mg a ").doesNotContain("get ");
        assertThat(server.connections()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERROR\r\n",
                "CLIENT_ERROR Error parsing message 'mn\\r\\n' at character 1!\r\n",
                "CLIENT_ERROR Error parsing message 'mn\\r\\n' at character 1!\r\n" + HANG_UP
            })
    void classicIsUsedIfTheServerRefusesMn(String refusal) {
        ScriptedServer server = scriptedServer().onConnection(asked(refusal, "END\r\n"));
        speaksClassic(connect(server));

        assertThat(received(server, 1)).startsWith(PROBE + "\r\nget a\r\n");
        assertThat(server.connections()).isEqualTo(2);
    }

    /** The error is that of memcached's proxy while a server behind it is away. The proxy answers mn itself. */
    @ParameterizedTest
    @ValueSource(strings = {"EN O#\r\n", "SERVER_ERROR backend failure\r\n"})
    void metaIsUsedIfTheServerAnswersMgAndMn(String read) {
        ScriptedServer server = scriptedServer().onConnection(asked(read, "MN\r\n", ""));
        works(connect(server));

        assertThat(received(server, 0)).startsWith(ASKED + "mg a ");
        assertThat(server.connections()).isEqualTo(1);
    }

    /** memcached 1.6.9, a server that knows no opaque, and one that reads nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"CLIENT_ERROR invalid flag\r\n", "HD\r\n", ""})
    void classicIsUsedOnTheSameSocketIfMgIsNotUnderstood(String read) {
        ScriptedServer server = scriptedServer().onConnection(asked(read, "MN\r\n", "END\r\n"));
        try (CapturedLog log = new CapturedLog(Connection.class)) {
            Connection connection = connect(server);
            speaksClassic(connection);

            assertThat(received(server, 0)).isEqualTo(ASKED + "get a\r\n");
            assertThat(log.text().lines().filter(line -> line.contains("CLASSIC")))
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .contains("INFO", ": uses protocol CLASSIC: the server does not support the meta protocol")
                    .containsPattern(": (mg was answered " + read.strip() + "|mg was not answered"
                            + "|the answer to mg has no opaque)");
        }
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void classicOnTheSameSocketIsKeptWithoutAnotherProbe() {
        ScriptedServer server = scriptedServer().onConnection(asked("HD\r\n", "MN\r\n", "END\r\n"));
        Connection connection = connect(server);
        speaksClassic(connection);
        cut(server, 0);
        noticeLoss(connection);
        worksAgain(connection);

        assertThat(received(server, 1)).startsWith(PROBE + "\r\nget ").doesNotContain("mg", "mn");
        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void classicIsUsedIfTheServerHangsUpAndThenRefusesMn() {
        ScriptedServer server =
                scriptedServer().onConnection(asked(HANG_UP, "")).onConnection(oldMemcached());
        speaksClassic(connect(server));

        assertThat(received(server, 1)).isEqualTo(ASKED_AFTER_GET);
        assertThat(server.connections()).isEqualTo(3);
    }

    @Test
    void mnIsSentAfterAHangUpEvenIfGetFails() {
        ScriptedServer server = scriptedServer()
                .onConnection(asked(HANG_UP, ""))
                .onConnection(asked("MN\r\n", "SERVER_ERROR out of memory writing get response\r\n"));
        works(connect(server));

        assertThat(received(server, 1)).startsWith(ASKED_AFTER_GET + "mg a ");
        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void classicIsUsedIfAProxyCannotReachItsServer() {
        ScriptedServer server =
                scriptedServer().onConnection(asked("ERROR\r\n", "SERVER_ERROR Connection refused\r\n"));

        speaksClassic(connect(server));
    }

    @Test
    void silenceOnMnDoesNotSwitchToClassic() {
        settings.connectTimeout = PASSING;
        AtomicBoolean answers = new AtomicBoolean();
        ScriptedServer server = scriptedServer().onConnection(c -> {
            asked(answers.get() ? "MN\r\n" : "", "END\r\n").play(c);
        });
        Connection connection = connect(server);

        failsWith(connection, "did not answer");
        answers.set(true);
        worksAgain(connection);
        for (int i = 0; i < server.connections(); i++) {
            assertThat(received(server, i)).doesNotContain(PROBE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"END\r\n", "HTTP/1.1 400 Bad Request\r\n", "ERROR Too many open connections\r\n"})
    void unknownAnswerToMnDoesNotSwitchToClassic(String reply) {
        ScriptedServer server =
                scriptedServer().onConnection(asked(reply, "END\r\n")).onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);

        assertThat(failedCall(connection)).hasMessageContaining(reply.strip().split(" ")[0]);
        worksAgain(connection);
        assertThat(received(server, 1)).startsWith(ASKED);
    }

    @Test
    void errorOnMnDoesNotSwitchToClassic() {
        ScriptedServer server = scriptedServer()
                .onConnection(asked("SERVER_ERROR out of memory preparing response\r\n", "END\r\n"))
                .onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);

        assertThat(failedCall(connection))
                .hasMessageContaining("it failed at the first command: the server answered")
                .hasMessageContaining("SERVER_ERROR out of memory preparing response");
        worksAgain(connection);
        assertThat(received(server, 1)).startsWith(ASKED + "mg again ");
        assertThat(server.connections()).isEqualTo(2);
    }

    /** What fails is the command of a caller, who is told; a proxy whose server is away for one key has others. */
    @Test
    void protocolClassicIsUsedWithAServerThatFailsAtGet() {
        settings.protocol = Protocol.CLASSIC;
        ScriptedServer server = scriptedServer().onConnection(asked("", "SERVER_ERROR Connection refused\r\n"));

        speaksClassic(connect(server));
        assertThat(server.connections()).isEqualTo(1);
    }

    static Stream<Arguments> useless() {
        String garbage = "\u0000\u00ff\u0080\r\n\n\u0001";
        return Stream.of(
                arguments(HANG_UP, HANG_UP, "did not answer"),
                arguments("ERROR\r\n", "ERROR\r\n", "the server does not support get"),
                arguments(garbage, "END\r\n", "it is not memcached, it answered"),
                arguments("ERROR\r\n", garbage, "it is not memcached, it answered"));
    }

    @ParameterizedTest
    @MethodSource("useless")
    void firstCallFailsIfTheServerAnswersNeitherCommand(String toMn, String toGet, String reason) {
        firstCallFails(scriptedServer().onConnection(asked(toMn, toGet)), reason);
    }

    @Test
    void reconnectToAClassicServerTakesOneSocket() {
        ScriptedServer server = scriptedServer()
                .onConnection(oldMemcached())
                .onConnection(ProtocolIT::loseACommand)
                .onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        failedCall(connection);
        worksAgain(connection);

        assertThat(received(server, 2)).startsWith(PROBE + "\r\nget again\r\n");
        assertThat(server.connections()).isEqualTo(3);
    }

    @Test
    void metaIsUsedIfTheServerComesBackWithMeta() {
        ScriptedServer server = scriptedServer()
                .onConnection(oldMemcached())
                .onConnection(oldMemcached())
                .onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        speaksClassic(connection);
        server.stopAccepting();
        cut(server, 1);
        failsWith(connection, "cannot connect");
        server.resumeAccepting();
        worksAgain(connection);

        assertThat(received(server, 2)).startsWith(ASKED + "mg again ");
        assertThat(server.connections()).isEqualTo(3);
    }

    @Test
    void classicIsUsedIfTheServerComesBackWithoutMeta() {
        ScriptedServer server =
                scriptedServer().onConnection(ProtocolIT::loseACommand).onConnection(oldMemcached());
        Connection connection = connect(server);
        failedCall(connection);
        worksAgain(connection);

        assertThat(received(server, 0)).contains("mg a ");
        assertThat(received(server, 2)).startsWith(PROBE + "\r\nget again\r\n");
    }

    @Test
    void protocolClassicSendsNoMetaCommand() {
        settings.protocol = Protocol.CLASSIC;
        ScriptedServer server = answeringServer();
        speaksClassic(connect(server));

        assertThat(received(server, 0)).isEqualTo(PROBE + "\r\nget a\r\n");
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void commandWithoutAClassicFormFailsUnwrittenWithTheRemedy() {
        settings.protocol = Protocol.CLASSIC;
        settings.maxInFlight = 100;
        ScriptedServer server = answeringServer();
        Connection connection = connect(server);
        works(connection);

        for (int i = 0; i < 2 * options().maxInFlight; i++) {
            assertThat(failure(MemcachedUnsupportedException.class, future(connection, createdByCounting())))
                    .hasMessageContaining("protocol CLASSIC, which is in use, lacks this function")
                    .hasMessageContaining("call add and omit the initial value")
                    .hasMessageContaining("ma \"n\" on " + address(server) + "[0], queued")
                    .satisfies(e -> assertThat(e.context().phase()).isEqualTo(Phase.QUEUED));
        }
        assertThat(connection.inFlight()).isZero();
        works(connection);
        assertThat(received(server, 0)).isEqualTo(PROBE + "\r\nget a\r\nget a\r\n");
    }

    // Over a network that hangs up.

    @Test
    void metaIsUsedOnMemcachedDespiteHangUpsOnAnySockets() throws IOException {
        assertThat(spokenMetaWith(memcached.address())).containsOnly(true);
    }

    @Test
    void classicIsUsedOnOldMemcachedDespiteHangUps() throws IOException {
        ScriptedServer old = scriptedServer()
                .onConnection(c -> c.replyTo(line -> line.startsWith("get ") ? "END\r\n" : "ERROR\r\n"));

        assertThat(spokenMetaWith(old.address())).containsOnly(false);
    }

    private List<Boolean> spokenMetaWith(InetSocketAddress server) throws IOException {
        ConnectionGroup group = group();
        List<Boolean> spoken = new ArrayList<>();
        for (int sockets : firstSockets().toArray()) {
            InetSocketAddress network = hangingUpOn(sockets, 0, server).address();
            spoken.add(speaksMeta(connect(group, new ServerAddress(network.getHostString(), network.getPort()))));
        }
        return spoken;
    }

    @Test
    void fourHangUpsInARowAreRememberedUntilAnAttemptFails() throws IOException {
        FaultProxy proxy = closedAfterwards(new FaultProxy(memcached.address()));
        // On mn: the first request of the first socket, the second of the others.
        proxy.hangUp((number, request) -> number < 4 && request == (number == 0 ? 0 : 1));
        Connection connection = connect(proxy);
        assertThat(speaksMeta(connection)).isFalse();

        proxy.cutAll();
        noticeLoss(connection);
        eventually("reconnected", () -> proxy.accepted() == 6);
        assertThat(speaksMeta(connection)).isFalse();

        proxy.hangUp((number, request) -> number == 6);
        proxy.cutAll();
        noticeLoss(connection);
        eventually("meta is spoken", () -> speaksMeta(connection));
    }
}
