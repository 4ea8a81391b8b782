// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.util.Throwables.getStackTrace;

import io.memshard.client.concurrent.Backoff;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

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
        settings.credentials = () -> credentials;
    }

    private static MemcachedConnectionException refused(Connection connection) {
        MemcachedConnectionException refused = failedCall(connection);
        assertThat(refused).isInstanceOf(MemcachedAuthenticationException.class);
        return refused;
    }

    @Test
    void commandsOfAnAuthenticatedUserAreExecuted() {
        authenticateAs("alice", PASSWORD);
        Connection connection = connect(memcached);
        storesAndReadsMany(connection);
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
    void wrongPasswordIsATypedErrorWithoutThePassword() {
        authenticateAs("alice", "wr\u00f6ng-password");
        Connection connection = connect(memcached);
        MemcachedConnectionException refused = refused(connection);

        assertThat(refused)
                .hasMessageContaining("the server refused the credentials of user \"alice\"")
                .hasMessageContaining("CLIENT_ERROR authentication failure")
                .hasMessageContaining(memcached.host() + ":" + memcached.port() + "[0]")
                .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue());
        assertThat(getStackTrace(refused) + connection + options()).doesNotContain("wr\u00f6ng");
        assertThat(connection.state()).isEqualTo(ConnectionState.RECONNECTING);
    }

    @ParameterizedTest
    @EnumSource
    void demandForAuthenticationIsReportedInEachProtocol(Protocol protocol) {
        settings.protocol = protocol;

        assertThat(refused(connect(memcached))).hasMessageContaining("demands authentication: set credentials");
    }

    @Test
    void passwordIsRequestedAtEachAttempt() {
        Deque<String> passwords = new ConcurrentLinkedDeque<>(List.of("yesterday's", PASSWORD));
        settings.credentials = () -> new Credentials("alice", passwords.removeFirst());
        Connection connection = connect(memcached);
        refused(connection);

        returnsInTheEnd(null, () -> connection.call(get("a"), LONG_NANOS));
        assertThat(passwords).isEmpty();
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new IllegalStateException("the vault says secret"), new NoClassDefFoundError("the vault says secret"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failureOfTheSupplierFailsTheAttemptWithoutItsMessage(Throwable failure) {
        AtomicBoolean works = new AtomicBoolean();
        settings.credentials = () -> {
            if (!works.getAndSet(true)) {
                if (failure instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) failure;
            }
            return new Credentials("alice", PASSWORD);
        };
        Connection connection = connect(memcached);

        assertThat(failedCall(connection))
                .hasMessageContaining("the supplier of credentials threw "
                        + failure.getClass().getName())
                .satisfies(e -> assertThat(getStackTrace(e)).doesNotContain("vault"));
        returnsInTheEnd(null, () -> connection.call(get("a"), LONG_NANOS));
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

    /** The credentials may be right, so it is tried again as soon as after any failure. */
    @ParameterizedTest
    @CsvSource({
        "SERVER_ERROR out of memory storing object, the server did not complete the authentication",
        "SERVER_ERROR object too large for cache, the server did not complete the authentication",
        "HD O1, not a reply to an authentication"
    })
    void failureDuringAuthenticationIsNotReportedAsRefusal(String answer, String reason) {
        authenticateAs("carol", "secret");
        settings.reconnectDelay = new Backoff(Duration.ofMillis(1), LONG.multipliedBy(10));
        ScriptedServer server = scriptedServer()
                .onConnection(c ->
                        c.expectLine(AUTHENTICATION).expectLine("carol secret").send(answer + "\r\n"))
                .onConnection(c -> {
                    c.expectLine(AUTHENTICATION).expectLine("carol secret").send("STORED\r\n");
                    answer(c);
                });
        Connection connection = connect(server);

        assertThat(failedCall(connection))
                .isNotInstanceOf(MemcachedAuthenticationException.class)
                .hasMessageContaining(reason)
                .satisfies(
                        e -> assertThat(e.getMessage().contains(answer)).isEqualTo(answer.startsWith("SERVER_ERROR")));
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
