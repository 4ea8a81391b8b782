// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.RawClient;
import java.net.ConnectException;
import java.net.SocketException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ScriptedServerTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    @Test
    void greetingsOfEachProtocolAreAnswered() throws Exception {
        try (ScriptedServer server = ScriptedServer.start()
                .onConnection(c -> c.greet().expectLine("next").cut())) {
            for (String[] greeting : new String[][] {
                {"mn\r\n", "MN\r\n"},
                {"get memshard:probe\r\n", "END\r\n"},
                {"mg bWVtc2hhcmQ6cHJvYmU= b O12\r\nmn\r\n", "EN O12\r\nMN\r\n"}
            }) {
                try (RawClient client = new RawClient(server.address())) {
                    client.send(greeting[0] + "next\r\n");
                    assertThat(client.readToEnd()).isEqualTo(greeting[1]);
                }
            }
            server.verify();
        }
    }

    @Test
    void stepsArePlayedInOrder() throws Exception {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(c -> c.expectLine("mg a v")
                    .send("VA 2\r\nab\r\n")
                    .expectLine("mn")
                    .send("MN\r\n".getBytes())
                    .expectLine(line -> line.startsWith("md"))
                    .cut());
            try (RawClient client = new RawClient(server.address())) {
                client.send("mg a v\r\nmn\r\n");
                assertThat(client.read(14)).isEqualTo("VA 2\r\nab\r\nMN\r\n");
                client.send("md a q\r\n");
                assertThat(client.readToEnd()).isEmpty();
            }
            assertThat(server.awaitConnection(0, SOON).received()).isEqualTo("mg a v\r\nmn\r\nmd a q\r\n");
            assertThat(server.connections()).isEqualTo(1);
            server.verify();
        }
    }

    @Test
    void aWrongLineFailsVerifyAndNamesBoth() throws Exception {
        assertFails(
                ScriptedServer.start().onConnection(c -> c.expectLine("mg a")),
                "mg b\r\n",
                "expected \"mg a\", but got \"mg b\"");
    }

    @Test
    void anExpectationThatIsNotMetInTimeFails() throws Exception {
        ScriptedServer server = ScriptedServer.start().expectTimeout(Duration.ofMillis(50));
        assertFails(server.onConnection(c -> c.expectLine("abc")), "", "the client sent nothing in time");
    }

    @Test
    void expectCloseFailsOnFurtherBytes() throws Exception {
        ScriptedServer server =
                ScriptedServer.start().onConnection(c -> c.expectLine("mn").expectClose());
        try (RawClient client = new RawClient(server.address())) {
            client.send("mn\r\n");
        }
        server.verify();

        assertFails(server, "mn\r\nx", "expected the client to close the connection, but got \"x\"");
    }

    private static void assertFails(ScriptedServer server, String sent, String failure) throws Exception {
        try (RawClient client = new RawClient(server.address())) {
            client.send(sent);
            assertThat(client.readToEnd()).isEmpty();
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(server::close)
                .withMessageContaining(failure);
    }

    @Test
    void closeFailsWhenAScriptStillExpects() throws Exception {
        ScriptedServer server = ScriptedServer.start().onConnection(c -> c.expectLine("mg a"));
        try (RawClient client = new RawClient(server.address())) {
            server.awaitConnection(0, SOON);
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(server::close)
                    .withMessageContaining("the server was closed");
            assertThat(client.readToEnd()).isEmpty();
        }
    }

    @Test
    void aStallEndsWhenReleased() throws Exception {
        try (ScriptedServer server = ScriptedServer.start()
                        .onConnection(c -> c.expectLine("mn").stall().send("MN\r\n"));
                RawClient client = new RawClient(server.address())) {
            client.send("mn\r\n");
            server.awaitConnection(0, SOON).release();
            assertThat(client.read(4)).isEqualTo("MN\r\n");
        }
    }

    @Test
    void aResetReachesTheClientAsAReset() throws Exception {
        try (ScriptedServer server = ScriptedServer.start()
                        .onConnection(c -> c.expectLine("mn").reset());
                RawClient client = new RawClient(server.address())) {
            client.send("mn\r\n");
            assertThatThrownBy(client::readToEnd).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void aHalfClosedConnectionStillReads() throws Exception {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(c -> c.send("MN\r\n").halfClose().expectLine("late"));
            try (RawClient client = new RawClient(server.address())) {
                assertThat(client.readToEnd()).isEqualTo("MN\r\n");
                client.send("late\r\n");
            }
            server.verify();
        }
    }

    @Test
    void slowBytesAndGarbageArriveComplete() throws Exception {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(c -> c.sendSlowly("VA 2\r\nab\r\n", Duration.ofMillis(1), 1, 2, 3)
                    .garbage(64, 7)
                    .cut());
            try (RawClient client = new RawClient(server.address())) {
                assertThat(client.readToEnd()).hasSize(10 + 64).startsWith("VA 2\r\nab\r\n");
            }
        }
    }

    @Test
    void theLastScriptServesAllLaterConnections() throws Exception {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(c -> c.send("first").cut())
                    .onConnection(c -> c.send("later").cut());
            for (String expected : new String[] {"first", "later", "later"}) {
                try (RawClient client = new RawClient(server.address())) {
                    assertThat(client.readToEnd()).isEqualTo(expected);
                }
            }
            assertThat(server.connections()).isEqualTo(3);
        }
    }

    @Test
    void refusesWhileNotAcceptingAndAcceptsAgainOnTheSamePort() throws Exception {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(c -> c.send("x").cut());
            server.stopAccepting();
            assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> new RawClient(server.address()).close());
            server.resumeAccepting();
            try (RawClient client = new RawClient(server.address())) {
                assertThat(client.readToEnd()).isEqualTo("x");
            }
        }
    }

    @Test
    void withoutAScriptAConnectionIsIgnoredAndNothingIsLeft() throws Exception {
        LeakCheck leaks = LeakCheck.start("scripted-server");
        try (ScriptedServer server = ScriptedServer.start();
                RawClient client = new RawClient(server.address())) {
            ScriptedConnection connection = server.awaitConnection(0, SOON);
            client.send("ignored");
            assertThat(connection.isOpen()).isTrue();
            assertThat(connection.index()).isZero();
            assertThat(server.openConnections()).isEqualTo(1);
        }
        leaks.assertNothingLeft();
    }
}
