package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaArithmetic;
import io.memshard.testkit.ScriptedServer;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which protocol is spoken with which server, and with which none. */
@EachTransport
@Timeout(60)
class ProtocolIT extends ConnectionFixture {

    private static final Duration SHORT = Duration.ofMillis(300);

    ProtocolIT(Transport transport) {
        super(transport, Protocol.AUTO);
    }

    private static final String HANG_UP = "hang up";

    /** A server that answers the questions of the handshake like this, be it by hanging up, and gets as it should. */
    private static ScriptedServer.Script asked(String replyToMn, String replyToGet) {
        return c -> c.replyTo(line -> {
            String reply = line.equals("mn") ? replyToMn : line.equals(PROBE) ? replyToGet : replyTo(line);
            if (reply.equals(HANG_UP)) {
                c.cut();
            }
            return reply;
        });
    }

    private static ScriptedServer.Script oldMemcached() {
        return asked("ERROR\r\n", "END\r\n");
    }

    private static void speaksClassic(Connection connection) {
        works(connection);
        assertThatExceptionOfType(MemcachedUnsupportedException.class)
                .isThrownBy(() -> connection.call(createdByCounting(), LONG_NANOS));
    }

    private static Command<OptionalLong> createdByCounting() {
        return new MetaArithmetic<>(
                "n", MetaArithmetic.Mode.INCREMENT, 1, new MetaArithmetic.Initial(1, 0), Function.identity());
    }

    private void firstCallFails(ScriptedServer server, String reason) {
        assertThatExceptionOfType(MemcachedConnectionException.class)
                .isThrownBy(() -> connect(server).call(get("a"), LONG_NANOS))
                .withMessageContaining(reason)
                .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue());
    }

    @Test
    void serverThatAnswersMnIsSpokenMetaWithOnOneSocket() {
        ScriptedServer server = scriptedServer().onConnection(ConnectionFixture::answer);
        works(connect(server));

        assertThat(received(server, 0)).contains("mg a ").doesNotContain("get ");
        assertThat(server.connections()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ERROR\r\n", "CLIENT_ERROR Error parsing message 'mn\\r\\n' at character 1!\r\n"})
    void serverThatRefusesMnIsSpokenClassicWith(String refusal) {
        ScriptedServer server = scriptedServer().onConnection(asked(refusal, "END\r\n"));
        speaksClassic(connect(server));

        assertThat(received(server, 1)).startsWith(PROBE + "\r\nget a\r\n");
        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void serverThatHangsUpOnMnAndAnswersGetIsAskedOnceMoreAndThenSpokenClassicWith() {
        ScriptedServer server = scriptedServer().onConnection(asked(HANG_UP, "END\r\n"));
        speaksClassic(connect(server));

        assertThat(received(server, 1)).startsWith(PROBE + "\r\nget a\r\n");
        assertThat(server.connections()).isEqualTo(3);
    }

    @Test
    void serverThatHungUpByChanceIsSpokenMetaWith() {
        ScriptedServer server =
                scriptedServer().onConnection(asked(HANG_UP, "")).onConnection(ConnectionFixture::answer);
        works(connect(server));

        assertThat(received(server, 2)).startsWith("mn\r\nmg a ");
        eventually("the classic socket is closed", () -> server.openConnections() == 1);
    }

    @Test
    void proxyThatCannotReachItsServerIsSpokenClassicWith() {
        ScriptedServer server =
                scriptedServer().onConnection(asked("ERROR\r\n", "SERVER_ERROR Connection refused\r\n"));

        speaksClassic(connect(server));
    }

    @Test
    void serverThatIsSilentOnMnIsNotAskedForClassic() {
        connectTimeout(SHORT);
        ScriptedServer server =
                scriptedServer().onConnection(asked("", "END\r\n")).onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);

        assertThatExceptionOfType(MemcachedConnectionException.class)
                .isThrownBy(() -> connection.call(get("a"), LONG_NANOS))
                .withMessageContaining("did not answer");
        worksAgain(connection);
        assertThat(received(server, 1)).startsWith("mn\r\n");
    }

    @Test
    void serverThatHangsUpOnMnAndIsSilentOnGetIsNoServer() {
        connectTimeout(SHORT);
        ScriptedServer server = scriptedServer().onConnection(asked(HANG_UP, ""));

        firstCallFails(server, "did not answer");
    }

    @Test
    void serverThatHangsUpOnEverythingIsNoServer() {
        firstCallFails(scriptedServer().onConnection(asked(HANG_UP, HANG_UP)), "did not answer");
    }

    @Test
    void serverThatKnowsNeitherCommandIsNoServer() {
        firstCallFails(scriptedServer().onConnection(asked("ERROR\r\n", "ERROR\r\n")), "the server has no get");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "220 mail.example.com ESMTP\r\n",
                "END\r\n",
                "HTTP/1.1 400 Bad Request\r\n",
                "ERROR Too many open connections\r\n",
                "SERVER_ERROR out of memory preparing response\r\n"
            })
    void serverThatAnswersMnOtherwiseIsNotAskedForClassic(String reply) {
        ScriptedServer server =
                scriptedServer().onConnection(asked(reply, "END\r\n")).onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);

        assertThatExceptionOfType(MemcachedConnectionException.class)
                .isThrownBy(() -> connection.call(get("a"), LONG_NANOS))
                .withMessageContaining(reply.strip());
        worksAgain(connection);
        assertThat(received(server, 1)).startsWith("mn\r\n");
    }

    @Test
    void garbageIsNoAnswer() {
        String garbage = "\u0000\u00ff\u0080\r\n\n\u0001";
        firstCallFails(scriptedServer().onConnection(asked(garbage, "END\r\n")), "cannot be trusted");
        firstCallFails(scriptedServer().onConnection(asked("ERROR\r\n", garbage)), "cannot be trusted");
    }

    @Test
    void reconnectToAClassicServerTakesOneSocket() {
        ScriptedServer server = scriptedServer()
                .onConnection(oldMemcached())
                .onConnection(c -> {
                    greet(c).readLine();
                    c.cut();
                })
                .onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        assertThatExceptionOfType(MemcachedConnectionException.class)
                .isThrownBy(() -> connection.call(get("a"), LONG_NANOS));
        worksAgain(connection);

        assertThat(received(server, 2)).startsWith(PROBE + "\r\nget again\r\n");
        assertThat(server.connections()).isEqualTo(3);
    }

    @Test
    void serverThatWasAwayAndComesBackWithMetaIsSpokenMetaWith() throws Exception {
        ScriptedServer server = scriptedServer()
                .onConnection(oldMemcached())
                .onConnection(oldMemcached())
                .onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        speaksClassic(connection);
        server.stopAccepting();
        server.awaitConnection(1, LONG).cut();
        eventually("an attempt failed", () -> refusedToConnect(connection));
        server.resumeAccepting();
        worksAgain(connection);

        assertThat(received(server, 2)).startsWith("mn\r\nmg again ");
        assertThat(server.connections()).isEqualTo(3);
    }

    private static boolean refusedToConnect(Connection connection) {
        try {
            connection.call(get("a"), LONG_NANOS);
            return false;
        } catch (MemcachedConnectionException e) {
            return String.valueOf(e.getMessage()).contains("cannot connect");
        }
    }

    @Test
    void serverThatLostMetaIsSpokenClassicWith() {
        ScriptedServer server = scriptedServer()
                .onConnection(c -> {
                    greet(c).readLine();
                    c.cut();
                })
                .onConnection(oldMemcached());
        Connection connection = connect(server);
        assertThatExceptionOfType(MemcachedConnectionException.class)
                .isThrownBy(() -> connection.call(get("a"), LONG_NANOS));
        worksAgain(connection);

        assertThat(received(server, 0)).contains("mg a ");
        assertThat(received(server, 2)).startsWith(PROBE + "\r\nget again\r\n");
    }

    @Test
    void protocolMetaRefusesAServerWithout() {
        options = options.withProtocol(Protocol.META);
        ScriptedServer server = scriptedServer().onConnection(oldMemcached());

        firstCallFails(server, "the server has no meta protocol");
        assertThat(received(server, 0)).isEqualTo("mn\r\n");
    }

    @Test
    void protocolClassicAsksForNoMeta() {
        options = options.withProtocol(Protocol.CLASSIC);
        ScriptedServer server = scriptedServer().onConnection(ConnectionFixture::answer);
        speaksClassic(connect(server));

        assertThat(received(server, 0)).isEqualTo(PROBE + "\r\nget a\r\n");
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void heartbeatOfAClassicConnectionIsOneThatEveryServerAnswers() {
        options = options.withProtocol(Protocol.CLASSIC);
        heartbeatInterval(Duration.ofMillis(50));
        ScriptedServer server = scriptedServer().onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        works(connection);
        eventually("two heartbeats", () -> received(server, 0).contains("get a\r\n" + PROBE + "\r\n" + PROBE + "\r\n"));

        works(connection);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void whatClassicCannotSayFailsTypedWithTheRemedyAndNothingIsWritten() {
        options = options.withProtocol(Protocol.CLASSIC);
        ScriptedServer server = scriptedServer().onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        works(connection);

        for (int i = 0; i < 2 * options.maxInFlight(); i++) {
            assertThat(failure(MemcachedUnsupportedException.class, future(connection, createdByCounting())))
                    .hasMessageContaining("not in the classic text protocol")
                    .hasMessageContaining("add the item, then count")
                    .hasMessageContaining("ma \"n\" on " + address(server) + "[0], queued")
                    .satisfies(e -> assertThat(e.context())
                            .isNotNull()
                            .satisfies(context -> assertThat(context.phase()).isEqualTo(Phase.QUEUED)));
        }
        assertThat(connection.inFlight()).isZero();
        works(connection);
        assertThat(received(server, 0)).isEqualTo(PROBE + "\r\nget a\r\nget a\r\n");
    }

    private static String received(ScriptedServer server, int index) {
        try {
            return server.awaitConnection(index, LONG).received();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
