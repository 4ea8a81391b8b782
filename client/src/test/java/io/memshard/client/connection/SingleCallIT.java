// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.protocol.ClusterConfig;
import io.memshard.client.protocol.Version;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.ClosedPort;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SingleCallIT {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final String LIST = "CONFIG cluster 0 2\r\n1\n\r\nEND\r\n";

    private LeakCheck leaks;

    @BeforeEach
    void takeSnapshot() {
        leaks = LeakCheck.start();
    }

    @AfterEach
    void nothingIsLeft() {
        leaks.assertNothingLeft();
    }

    private static String call(ScriptedServer server, ConnectionOptions.Builder settings, Duration timeout)
            throws Exception {
        return SingleCall.call(
                new ServerAddress(server.host(), server.port()),
                settings.connectTimeout(LONG).build(),
                new ClusterConfig(),
                timeout);
    }

    private static ConnectionOptions.Builder plain() {
        return ConnectionOptions.builder();
    }

    @Test
    void nothingIsSentButTheCommand() throws Exception {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(
                    c -> c.expectLine("config get cluster").send(LIST).expectClose());

            assertThat(call(server, plain(), LONG)).isEqualTo("1\n");
        }
    }

    @Test
    void credentialsComeBeforeTheCommand() throws Exception {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(c -> c.expectLine("set memshard:auth 0 -1 6")
                    .expectLine("me you")
                    .send("STORED\r\n")
                    .expectLine("config get cluster")
                    .send(LIST)
                    .expectClose());

            assertThat(call(server, plain().credentials("me", "you"), LONG)).isEqualTo("1\n");
        }
    }

    @Test
    void tlsIsSpokenAndTheCertificateIsChecked(@TempDir Path directory) throws Exception {
        CertificateAuthority authority = CertificateAuthority.create(directory, "ours");
        CertificateAuthority other = CertificateAuthority.create(directory, "other");
        try (ScriptedServer server =
                ScriptedServer.start(CertificateAuthority.serverContext(authority.issue("127.0.0.1")))) {
            server.onConnection(
                    c -> c.expectLine("config get cluster").send(LIST).expectClose());

            ConnectionOptions.Builder trusting = plain().tls(TlsOptions.trusting(authority.certificate()));
            assertThat(call(server, trusting, LONG)).isEqualTo("1\n");
        }
        try (ScriptedServer server =
                ScriptedServer.start(CertificateAuthority.serverContext(authority.issue("127.0.0.1")))) {
            server.onConnection(c -> c.ignore());

            ConnectionOptions.Builder distrusting = plain().tls(TlsOptions.trusting(other.certificate()));
            assertThatThrownBy(() -> call(server, distrusting, LONG)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aServerThatStallsTimesOutWherever() throws Exception {
        for (String beginning :
                new String[] {"", "CONFIG clus", "CONFIG cluster 0 20\r\n12\n", "CONFIG cluster 0 2\r\n1\n\r\n"}) {
            try (ScriptedServer server = ScriptedServer.start()) {
                server.onConnection(c -> c.send(beginning).ignore());

                assertThatExceptionOfType(MemcachedTimeoutException.class)
                        .isThrownBy(() -> call(server, plain(), SHORT));
            }
        }
    }

    @Test
    void aTlsServerThatStallsTimesOut(@TempDir Path directory) throws Exception {
        Path certificate = CertificateAuthority.create(directory, "ours").certificate();
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(c -> c.ignore());

            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> call(server, plain().tls(TlsOptions.trusting(certificate)), SHORT));
        }
    }

    @Test
    void garbageAndAHangUpFailTheCommand() {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(c -> c.expectLine("config get cluster").send("HTTP/1.1 400 Bad Request\r\n"));
            server.onConnection(c -> c.expectLine("config get cluster").cut());

            assertThatExceptionOfType(MemcachedProtocolException.class)
                    .isThrownBy(() -> call(server, plain(), LONG))
                    .withMessageContaining("not a reply to config");
            assertThatExceptionOfType(MemcachedConnectionException.class).isThrownBy(() -> call(server, plain(), LONG));
        }
    }

    @Test
    void nobodyAtTheAddressIsAnIoException() {
        try (ClosedPort nobody = new ClosedPort()) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> SingleCall.call(
                            new ServerAddress("127.0.0.1", nobody.port()),
                            plain().connectTimeout(LONG).build(),
                            new ClusterConfig(),
                            LONG))
                    .withMessageContaining("refused");
        }
    }

    @Test
    void anInterruptEndsTheCallAndIsKept() {
        try (ScriptedServer server = ScriptedServer.start()) {
            Thread caller = Thread.currentThread();
            server.onConnection(c -> {
                c.expectLine("config get cluster");
                caller.interrupt();
                c.expectClose();
            });

            assertThatExceptionOfType(MemcachedInterruptedException.class)
                    .isThrownBy(() -> call(server, plain(), LONG));
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void anyClassicCommandMayBeSent() throws Exception {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(c -> c.expectLine("version").send("VERSION 1.4.14\r\n"));

            assertThat(SingleCall.call(
                            new ServerAddress(server.host(), server.port()),
                            ConnectionOptions.DEFAULTS,
                            new Version(),
                            LONG))
                    .isEqualTo("1.4.14");
        }
    }
}
