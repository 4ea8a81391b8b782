// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionFixture;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.exception.MemcachedAuthenticationException;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.options.Credentials;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.fault.ScriptedServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The password leaves only after a handshake with a server that is trusted and has the right name. A connection with
 * TLS never becomes one without.
 */
@ParameterizedClass
@CsvSource({"EVENT_LOOP, META, TLSv1.2", "AUTO, AUTO, TLSv1.3"})
@Timeout(300)
class TlsAttackIT extends ConnectionFixture {

    /** Longer than a test lasts. */
    private static final Duration NEVER = Duration.ofMinutes(5);

    private static final String USER = "alice-of-the-test";
    private static final String PASSWORD = "hunter2-of-the-test";

    /** A record of a handshake, as the first byte of a client that speaks TLS. */
    private static final char HANDSHAKE = 0x16;

    private static CertificateAuthority authority;
    private static CertificateAuthority stranger;

    private final String version;

    TlsAttackIT(Transport transport, Protocol protocol, String version) {
        super(transport, protocol);
        this.version = version;
        settings.connectTimeout = NEVER;
    }

    @BeforeAll
    static void makeAuthorities(@TempDir Path directory) {
        authority = CertificateAuthority.create(directory, "authority");
        stranger = CertificateAuthority.create(directory, "stranger");
    }

    private void secure() {
        settings.tls = TlsOptions.trusting(authority.certificate()).withProtocols(version);
        settings.credentials = () -> new Credentials(USER, PASSWORD);
    }

    /** An attack, and the first call of a client that meets it. */
    private final class Played {

        private final TlsAttack attack;
        private final ScriptedServer server;
        private final Connection connection;
        private final FutureTask<?> call;

        Played(TlsAttack attack, ConnectionGroup group) {
            this.attack = attack;
            server = closedAfterwards(attack.start(authority, stranger));
            connection = connect(group, server);
            call = new FutureTask<>(() -> connection.call(get("a"), NEVER.toNanos()));
            new Thread(call, "caller").start();
        }

        void passwordStaysAndSoDoesTls() throws Exception {
            assertThatExceptionOfType(ExecutionException.class)
                    .as("%s", attack)
                    .isThrownBy(() -> call.get(1, TimeUnit.MINUTES))
                    .havingCause()
                    .isInstanceOfSatisfying(
                            MemcachedConnectionException.class,
                            e -> assertThat(e.isSafeToRetry()).isTrue())
                    .isNotInstanceOf(MemcachedAuthenticationException.class)
                    .withMessageContaining(attack.reason());
            eventually(attack + ": tried again", () -> server.connections() > 1);
            connection.close();
            for (int i = 0; i < server.connections(); i++) {
                String received = server.awaitConnection(i, LONG).received();
                assertThat(received)
                        .as("%s", attack)
                        .doesNotContain(PASSWORD)
                        .doesNotContain(USER)
                        .doesNotContain("set ")
                        .doesNotContain("mn\r\n")
                        .doesNotContain("get ");
                assertThat(received.isEmpty() || received.charAt(0) == HANDSHAKE)
                        .as("%s: nothing but TLS", attack)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest(name = "shows only by the time: {0}")
    @ValueSource(booleans = {false, true})
    void passwordStaysAndSoDoesTls(boolean slow) throws Exception {
        secure();
        if (slow) {
            settings.connectTimeout = Duration.ofMillis(1000); // No attempt is to succeed.
        }
        ConnectionGroup group = group();
        List<Played> played = Stream.of(TlsAttack.values())
                .filter(attack -> attack.isSlow() == slow)
                .map(attack -> new Played(attack, group))
                .toList();
        for (Played each : played) {
            each.passwordStaysAndSoDoesTls();
        }
    }

    /** The same server, trusted and with the right name, is shown the password: so the test above would see it. */
    @Test
    void passwordIsSentToTheServerThatIsTrusted() throws Exception {
        secure();
        ScriptedServer server = closedAfterwards(
                ScriptedServer.start(CertificateAuthority.serverContext(authority.issue("127.0.0.1"))));
        server.onConnection(c -> c.replyTo(line -> {
            if (line.startsWith("set ")) {
                return "";
            }
            return line.contains(PASSWORD) ? "STORED\r\n" : replyTo(line);
        }));
        Connection connection = connect(server);

        assertThat(connection.call(get("a"), NEVER.toNanos())).isEqualTo("value of a");
        assertThat(server.awaitConnection(0, LONG).received()).contains(USER + " " + PASSWORD);
    }
}
