// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionFixture;
import io.memshard.client.exception.MemcachedAuthenticationException;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.fault.ScriptedServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The password leaves only after a handshake with a server that is trusted and has the right name. A connection with
 * TLS never becomes one without.
 */
@ParameterizedClass
@CsvSource({"EVENT_LOOP, META", "AUTO, CLASSIC", "AUTO, AUTO"})
@Timeout(60)
@Tag("once")
class TlsAttackIT extends ConnectionFixture {

    private static final String USER = "alice-of-the-test";
    private static final String PASSWORD = "hunter2-of-the-test";

    /** A record of a handshake, as the first byte of a client that speaks TLS. */
    private static final char HANDSHAKE = 0x16;

    private static CertificateAuthority authority;
    private static CertificateAuthority stranger;

    TlsAttackIT(Transport transport, Protocol protocol) {
        super(transport, protocol);
    }

    @BeforeAll
    static void makeAuthorities(@TempDir Path directory) {
        authority = CertificateAuthority.create(directory, "authority");
        stranger = CertificateAuthority.create(directory, "stranger");
    }

    private void secure(String... versions) {
        settings.tls(TlsOptions.trusting(authority.certificate()).withProtocols(versions))
                .credentials(USER, PASSWORD);
    }

    static Stream<Arguments> attacks() {
        return Arrays.stream(TlsAttack.values())
                .flatMap(attack -> Stream.of("TLSv1.2", "TLSv1.3").map(version -> Arguments.of(attack, version)));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void passwordStaysAndSoDoesTls(TlsAttack attack, String version) throws Exception {
        secure(version);
        if (attack.isSlow()) {
            settings.connectTimeout(Duration.ofMillis(150));
        }
        ScriptedServer server = closedAfterwards(attack.start(authority, stranger));
        Connection connection = connect(server);

        assertThatExceptionOfType(MemcachedConnectionException.class)
                .isThrownBy(() -> connection.call(get("a"), LONG_NANOS))
                .withMessageContaining(attack.reason())
                .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue())
                .satisfies(e -> assertThat(e).isNotInstanceOf(MemcachedAuthenticationException.class));
        eventually("tried again", () -> server.connections() > 1);
        connection.close();
        for (int i = 0; i < server.connections(); i++) {
            String received = server.awaitConnection(i, LONG).received();
            assertThat(received)
                    .doesNotContain(PASSWORD)
                    .doesNotContain(USER)
                    .doesNotContain("set ")
                    .doesNotContain("mn\r\n")
                    .doesNotContain("get ");
            assertThat(received.isEmpty() || received.charAt(0) == HANDSHAKE)
                    .as("nothing but TLS")
                    .isTrue();
        }
    }

    /** The same server, trusted and with the right name, is shown the password: so the test above would see it. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void passwordIsSentToTheServerThatIsTrusted(String version) throws Exception {
        secure(version);
        ScriptedServer server = closedAfterwards(
                ScriptedServer.start(CertificateAuthority.serverContext(authority.issue("127.0.0.1"))));
        server.onConnection(c -> c.replyTo(line -> {
            if (line.startsWith("set ")) {
                return "";
            }
            return line.contains(PASSWORD) ? "STORED\r\n" : replyTo(line);
        }));
        Connection connection = connect(server);

        assertThat(result(future(connection, get("a")))).isEqualTo("value of a");
        assertThat(server.awaitConnection(0, LONG).received()).contains(USER + " " + PASSWORD);
    }
}
