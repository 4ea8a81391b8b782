// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.memshard.client.exception.MemcachedServerFullException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.testkit.ClosedPort;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The exact texts of a connection that cannot be opened. In them SERVER is the server's host and port. */
@Timeout(120)
class ConnectionMessagesIT extends ConnectionFixture {

    private static final String WHERE = ": mg \"a\" on SERVER[0], queued";

    ConnectionMessagesIT() {
        super(Transport.CALLER_DRIVEN, Protocol.META);
    }

    private static final String FULL = "the server is full: it answered \"ERROR Too many open connections\"; raise its"
            + " limit -c (max_connections), or open fewer connections to it";

    private static Arguments row(String message, Consumer<ScriptedConnection> script) {
        return arguments(message, script);
    }

    static Stream<Arguments> useless() {
        return Stream.of(
                row(
                        "cannot use SERVER: it is not memcached, it answered \"HTTP/1.1 400 Bad Request\", like a web server",
                        c -> c.send("HTTP/1.1 400 Bad Request\r\n").ignore()),
                row(
                        "cannot use SERVER: it is not memcached, it answered \"220 ... ...\", like a mail or FTP server",
                        c -> c.send("220 mail ready\r\n").ignore()),
                row(
                        "cannot use SERVER: " + FULL,
                        c -> c.send("ERROR Too many open connections\r\n").cut()),
                row(
                        "cannot use SERVER: it is not memcached, it answered \"-ERR ... ... ... ...\", like Redis",
                        c -> c.send("-ERR unknown command 'mn', with\r\n").ignore()),
                row(
                        "cannot use SERVER: it is not memcached, it answered 32 bytes that are not a reply, like Redis",
                        c -> c.send("-NOAUTH Authentication required.\r\n").ignore()),
                row(
                        "cannot use SERVER: it is not memcached, it answered 21 bytes that are not a reply, like an SSH"
                                + " server",
                        c -> c.send("SSH-2.0-OpenSSH_9.6p1\r\n").ignore()),
                row(
                        "cannot use SERVER: it is not memcached, it answered 6 bytes that are not a reply, like a server"
                                + " that speaks TLS; set tls",
                        c -> c.send("\25\3\1\0\2\2\n").ignore()),
                row(
                        "cannot use SERVER: it did not answer: connection lost (closed by the server); if it speaks"
                                + " TLS on this port, set tls",
                        c -> {
                            c.readLine();
                            c.cut();
                        }),
                row(
                        "cannot use SERVER: " + FULL,
                        c -> c.send("ERROR Too many open connections\r\n").ignore()),
                row(
                        "cannot use SERVER: it failed at the first command: the server answered SERVER_ERROR out of memory",
                        c -> c.send("SERVER_ERROR out of memory\r\n").ignore()));
    }

    @ParameterizedTest
    @MethodSource("useless")
    void serverThatIsOfNoUseSaysWhy(String message, Consumer<ScriptedConnection> script) {
        ScriptedServer server = scriptedServer().onConnection(script::accept).onConnection(ScriptedConnection::ignore);
        assertFails(message, address(server));
    }

    @Test
    void refusalNamesNoTimeLimit() throws Exception {
        int port = closedAfterwards(new ClosedPort()).port();
        assertFails(
                "cannot connect to SERVER: Connection refused: /127.0.0.1:" + port,
                new ServerAddress("127.0.0.1", port));
    }

    @ParameterizedTest
    @CsvSource({"localhost, 5, true", "localhost, 30, false", "127.0.0.1, 5, false"})
    void failureOfANameSaysHowLongTheJvmCachesIt(String host, int longestDelay, boolean isSaid) throws Exception {
        settings.reconnectDelay(Duration.ofMillis(50), Duration.ofSeconds(longestDelay));
        String message = failedCall(connect(new ServerAddress(
                        host, closedAfterwards(new ClosedPort()).port())))
                .getMessage();
        assertThat(message.contains("(the JVM caches resolved addresses for 30 s: reduce networkaddress.cache.ttl)"))
                .as(message)
                .isEqualTo(isSaid);
    }

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"CLASSIC", "AUTO"})
    void commandsWithoutALinkToAClassicServerHaveItsVerbs(Protocol protocol) {
        settings.protocol(protocol);
        ScriptedServer server = scriptedServer()
                .onConnection(c -> c.replyTo(line -> line.startsWith("mg ") ? "ERROR\r\n" : replyTo(line)));
        Connection connection = opened(connect(server));
        works(connection);
        server.stopAccepting();
        cut(server, 0);
        noticeLoss(connection);
        eventually("lost", () -> connection.state() == ConnectionState.RECONNECTING);

        assertThat(failedCall(connection)).hasMessageEndingWith(": get \"a\" on " + address(server) + "[0], queued");
        assertThatThrownBy(() -> connection.call(set("a", "v"), LONG_NANOS))
                .hasMessageEndingWith(": set \"a\" on " + address(server) + "[0], queued");
    }

    @Test
    void longWaitForTheNextAttemptIsNamed() throws Exception {
        settings.reconnectDelay(Duration.ofDays(1), Duration.ofDays(1));
        int port = closedAfterwards(new ClosedPort()).port();
        try (CapturedLog log = new CapturedLog(Connection.class)) {
            Connection connection = connect(new ServerAddress("127.0.0.1", port));
            assertThat(failedCall(connection)).hasMessageContaining("Connection refused");

            String refused = "Connection refused: /127.0.0.1:" + port + ", next attempt in ";
            assertThat(failedCall(connection).getMessage()).containsPattern(refused + "[0-9]+\\.[0-9] s: mg");
            assertThat(log.text()).containsPattern("WARN .*" + refused + "[0-9]+\\.[0-9] s");
        }
    }

    @Test
    void silenceNamesTheTimeLimit() {
        settings.connectTimeout(SHORT);
        ScriptedServer server = scriptedServer().onConnection(ScriptedConnection::ignore);
        Connection connection = connect(server);
        failsWith(
                connection,
                "cannot use " + address(server) + " within 300 ms: it did not answer: no reply within ",
                "; if it speaks TLS on this port, set tls");
    }

    @Test
    void secondSocketOfAConnectionHasANameOfItsOwn() throws Exception {
        int port = closedAfterwards(new ClosedPort()).port();
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        Connection both = group.newConnection(new ServerAddress("127.0.0.1", port), 0, Transport.AUTO);
        String name = "127.0.0.1:" + port + "[0]";
        assertThat(both).hasToString(name + " NEW, " + name + " event loop NEW");
        assertThat(failedCall(both).getMessage()).endsWith(": mg \"a\" on " + name + ", queued");
        assertThat(both.send(get("a"))
                        .toFuture(LONG)
                        .handle((value, failure) -> failure.getMessage())
                        .join())
                .endsWith(": mg \"a\" on " + name + " event loop, queued");
    }

    private void assertFails(String message, ServerAddress server) {
        assertThat(failedCall(connect(server)).getMessage())
                .isEqualTo((message + WHERE).replace("SERVER:", server + ":").replace("SERVER[", server + "["));
    }

    @Test
    void tlsOnAPortOfPlainTextIsHinted() {
        settings.tls(TlsOptions.trustingSystem());
        ScriptedServer server =
                scriptedServer().onConnection(c -> c.send("ERROR\r\n").ignore());
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        Connection connection = group.newConnection(address(server), 0, Transport.EVENT_LOOP);
        assertThat(failedCall(connection))
                .hasMessage("cannot connect to " + address(server) + ": the server does not speak TLS on this port,"
                        + " or a host in between answers: use its TLS port: mg \"a\" on " + address(server)
                        + "[0], queued");
    }

    /** As of memcached, which says so before any handshake. */
    @Test
    void aFullServerIsSaidToBeFullWithTlsToo() {
        settings.tls(TlsOptions.trustingSystem());
        ScriptedServer server = scriptedServer()
                .onConnection(c -> c.send("ERROR Too many open connections\r\n").cut());
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        Connection connection = group.newConnection(address(server), 0, Transport.EVENT_LOOP);
        assertThat(failedCall(connection))
                .isInstanceOf(MemcachedServerFullException.class)
                .hasMessageContaining("cannot use " + address(server) + ": " + FULL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "memcached://host:11211|\"memcached://host:11211\" has a scheme: write host:port without memcached://",
                "a:b:c|\"a:b:c\" has more than one colon: write commas between servers, and an IPv6 address as [address]:port"
            })
    void illegalAddressSaysWhatToWrite(String address, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerAddress.parse(address))
                .withMessage(message);
    }
}
