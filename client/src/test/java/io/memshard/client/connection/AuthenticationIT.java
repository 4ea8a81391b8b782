// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.exception.MemcachedAuthenticationException;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Credentials;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A link is authenticated, alone, before it is used for anything. */
@NeedsProgram(Program.MEMCACHED)
@EachTransport
@Timeout(120)
class AuthenticationIT extends ConnectionFixture {

    private static final String PASSWORD = "pass:w\u00f6rd";

    /** The line before {@code carol secret}. */
    private static final String AUTHENTICATION = "set memshard:auth 0 -1 12";

    private MemcachedProcess memcached;

    AuthenticationIT(Transport transport) {
        super(transport, Protocol.META);
    }

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        Path users = Files.writeString(directory.resolve("users"), "alice:" + PASSWORD + "\nbob:other\n");
        memcached = MemcachedProcess.startAuthenticated(users);
    }

    @AfterEach
    void stop() {
        memcached.close();
    }

    private void authenticateAs(String user, String password) {
        Credentials credentials = new Credentials(user, password);
        settings.credentials(() -> credentials);
    }

    private MemcachedAuthenticationException refused(Connection connection) {
        try {
            throw new AssertionError("no failure, but " + connection.call(get("a"), LONG_NANOS));
        } catch (MemcachedAuthenticationException e) {
            return e;
        }
    }

    @Test
    void commandsOfAnAuthenticatedUserAreExecuted() {
        authenticateAs("alice", PASSWORD);
        Connection connection = connect(memcached);
        List<CompletableFuture<StoreStatus>> stored = IntStream.range(0, 200)
                .mapToObj(i -> future(connection, set("auth" + i, "value " + i)))
                .toList();

        stored.forEach(status -> assertThat(result(status)).isEqualTo(StoreStatus.DONE));
        for (int i = 0; i < 200; i++) {
            assertThat(connection.call(get("auth" + i), LONG_NANOS)).isEqualTo("value " + i);
        }
        assertThat(connection.call(get("auth"), LONG_NANOS))
                .as("the authentication is no item")
                .isNull();
    }

    @Test
    void credentialsForAServerThatWantsNoneTouchNoItem() {
        MemcachedProcess open = closedAfterwards(MemcachedProcess.start());
        assertThat(connect(open).call(set("auth", "the application's"), LONG_NANOS))
                .isEqualTo(StoreStatus.DONE);
        authenticateAs("carol", "secret");
        Connection authenticated = connect(open);

        assertThat(authenticated.call(get("auth"), LONG_NANOS)).isEqualTo("the application's");
        assertThat(authenticated.call(get("memshard:auth"), LONG_NANOS))
                .as("the password is kept nowhere")
                .isNull();
    }

    @Test
    void serverThatIsRestartedAuthenticatesAgain() {
        authenticateAs("bob", "other");
        Connection connection = connect(memcached);
        assertThat(connection.call(set("restarted", "before"), LONG_NANOS)).isEqualTo(StoreStatus.DONE);
        memcached.restart();

        eventually("works again", () -> {
            try {
                return connection.call(set("restarted", "after"), LONG_NANOS) == StoreStatus.DONE;
            } catch (MemcachedConnectionException e) {
                return false;
            }
        });
    }

    @Test
    void wrongPasswordIsATypedErrorWithoutThePassword() {
        authenticateAs("alice", "wr\u00f6ng-password");
        Connection connection = connect(memcached);
        MemcachedAuthenticationException refused = refused(connection);

        assertThat(refused)
                .hasMessageContaining("the server refused the credentials of user \"alice\"")
                .hasMessageContaining("CLIENT_ERROR authentication failure")
                .hasMessageContaining(memcached.host() + ":" + memcached.port() + "[0]")
                .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue());
        StringWriter everything = new StringWriter();
        refused.printStackTrace(new PrintWriter(everything, true));
        assertThat(everything + connection.toString() + options()).doesNotContain("wr\u00f6ng");
        assertThat(connection.state()).isEqualTo(ConnectionState.RECONNECTING);
    }

    @ParameterizedTest
    @EnumSource
    void serverThatDemandsAuthenticationIsNoneOfAnotherProtocol(Protocol protocol) {
        settings.protocol(protocol);

        assertThat(refused(connect(memcached))).hasMessageContaining("demands authentication: set credentials");
    }

    /** In the place of the authentication, of the first question and of the second. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void protocolIsFoundOutWhicheverSocketsAreHungUpOn(int request) throws IOException {
        settings.protocol(Protocol.AUTO);
        authenticateAs("alice", PASSWORD);
        for (int sockets : firstSockets().toArray()) {
            assertThat(speaksMeta(connect(hangingUpOn(sockets, request, memcached.address()))))
                    .as("hang-ups on " + Integer.toBinaryString(sockets))
                    .isTrue();
        }
    }

    @Test
    void passwordIsAskedForAtEachAttempt() {
        Deque<String> passwords = new ConcurrentLinkedDeque<>(List.of("yesterday's", PASSWORD));
        settings.credentials(() -> new Credentials("alice", passwords.removeFirst()));
        Connection connection = connect(memcached);
        refused(connection);

        eventually("works", () -> {
            try {
                connection.call(get("a"), LONG_NANOS);
                return true;
            } catch (MemcachedAuthenticationException e) {
                return false;
            }
        });
        assertThat(passwords).isEmpty();
    }

    @Test
    void supplierThatFailsFailsTheAttemptAndTellsNothingOfItsOwn() {
        settings.credentials(() -> {
            throw new IllegalStateException("the vault says secret");
        });

        assertThatExceptionOfType(MemcachedConnectionException.class)
                .isThrownBy(() -> connect(memcached).call(get("a"), LONG_NANOS))
                .withMessageContaining("the credentials supplier failed: java.lang.IllegalStateException")
                .satisfies(e -> {
                    StringWriter everything = new StringWriter();
                    e.printStackTrace(new PrintWriter(everything, true));
                    assertThat(everything.toString()).doesNotContain("vault");
                });
    }

    @Test
    void attemptThatEndsWithAnErrorIsFollowedByAnother() {
        AtomicInteger asked = new AtomicInteger();
        settings.credentials(() -> {
            if (asked.getAndIncrement() == 0) {
                throw new NoClassDefFoundError("the vault says secret");
            }
            return new Credentials("alice", PASSWORD);
        });
        Connection connection = connect(memcached);

        assertThat(failedCall(connection))
                .hasMessageContaining("the credentials supplier failed: java.lang.NoClassDefFoundError");
        eventually("works", () -> {
            try {
                return connection.call(get("a"), LONG_NANOS) == null;
            } catch (MemcachedConnectionException e) {
                return false;
            }
        });
    }

    @Test
    void authenticationAndGreetingAreEachAloneInFlight() {
        authenticateAs("carol", "secret");
        Duration silence = BRIEF;
        ScriptedServer server = scriptedServer().onConnection(c -> {
            c.expectLine(AUTHENTICATION).expectLine("carol secret").expectSilence(silence);
            c.send("STORED\r\n").expectLine("mn").expectSilence(silence).send("MN\r\n");
            answer(c);
        });
        Connection connection = connect(server);
        List<CompletableFuture<String>> queued = IntStream.range(0, 10)
                .mapToObj(i -> future(connection, get("a")))
                .toList();

        queued.forEach(value -> assertThat(result(value)).isEqualTo("value of a"));
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void answerThatIsNoneEndsTheAttempt() {
        authenticateAs("carol", "secret");
        // The next attempt may be under way when the test ends, and so expects nothing.
        ScriptedServer server = scriptedServer()
                .onConnection(c -> c.expectLine(AUTHENTICATION).send("HD O1\r\n"))
                .onConnection(c -> {});

        assertThatExceptionOfType(MemcachedConnectionException.class)
                .isThrownBy(() -> connect(server).call(get("a"), LONG_NANOS))
                .withMessageContaining("not a reply to an authentication")
                .satisfies(e -> assertThat(e).isNotInstanceOf(MemcachedAuthenticationException.class));
    }

    /** The credentials may be right, so it is tried again as soon as after any failure. */
    @ParameterizedTest
    @ValueSource(strings = {"SERVER_ERROR out of memory storing object", "SERVER_ERROR object too large for cache"})
    void failureDuringAuthenticationIsNoRefusedCredential(String failure) {
        authenticateAs("carol", "secret");
        settings.reconnectDelay(Duration.ofMillis(1), LONG.multipliedBy(10));
        ScriptedServer server = scriptedServer()
                .onConnection(c ->
                        c.expectLine(AUTHENTICATION).expectLine("carol secret").send(failure + "\r\n"))
                .onConnection(c -> {
                    c.expectLine(AUTHENTICATION).expectLine("carol secret").send("STORED\r\n");
                    answer(c);
                });
        Connection connection = connect(server);

        assertThat(failedCall(connection))
                .isNotInstanceOf(MemcachedAuthenticationException.class)
                .hasMessageContaining("the server failed during authentication")
                .hasMessageContaining(failure);
        worksAgain(connection);
    }

    @Test
    void credentialsAreRefusedWithoutShowingThePassword() {
        for (String user : List.of("", "a b", "a:b", "a\n")) {
            assertThatIllegalArgumentException().isThrownBy(() -> new Credentials(user, "secret"));
        }
        for (String password : List.of("", "sec ret", "secret\r\n")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Credentials("alice", password))
                    .withMessageContaining("alice")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("ret"));
        }
        assertThat(new Credentials("alice", "secret").toString())
                .contains("alice")
                .doesNotContain("secret");
    }
}
