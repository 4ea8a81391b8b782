// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS: who is trusted, who is not and why, with certificates made here and memcached's own TLS. */
@NeedsProgram(Program.MEMCACHED)
@Timeout(120)
class TlsIT extends ConnectionFixture {

    private static Path directory;
    private static CertificateAuthority authority;
    private static CertificateAuthority stranger;
    private static CertificateAuthority.Issued serverCertificate;
    private static MemcachedProcess memcached;

    TlsIT() {
        super(Transport.AUTO, Protocol.META);
    }

    @BeforeAll
    static void start(@TempDir Path temporary) {
        directory = temporary;
        authority = CertificateAuthority.create(directory, "authority");
        stranger = CertificateAuthority.create(directory, "stranger");
        serverCertificate = authority.issue("localhost", "127.0.0.1");
        memcached = MemcachedProcess.startTls(serverCertificate.certificates(), serverCertificate.key());
    }

    @AfterAll
    static void stop() {
        memcached.close();
    }

    private void tls(TlsOptions tls) {
        settings.tls(tls);
    }

    private static TlsOptions trusting() {
        return TlsOptions.trusting(authority.certificate());
    }

    private MemcachedConnectionException refused(Connection connection) {
        try {
            throw new AssertionError("no failure, but " + connection.call(get("a"), LONG_NANOS));
        } catch (MemcachedConnectionException e) {
            return e;
        }
    }

    private static void stores(Connection connection) {
        assertThat(connection.call(set("tls", "value"), LONG_NANOS)).isEqualTo(StoreStatus.DONE);
        assertThat(connection.call(get("tls"), LONG_NANOS)).isEqualTo("value");
    }

    private MemcachedProcess memcached(CertificateAuthority.Issued shown, String... arguments) {
        return closedAfterwards(MemcachedProcess.startTls(shown.certificates(), shown.key(), arguments));
    }

    // Those who are let in.

    @ParameterizedTest
    @EnumSource(
            value = Transport.class,
            names = {"AUTO", "EVENT_LOOP"})
    void commandsOfAllSizesAreExecuted(Transport transport) {
        tls(trusting());
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        Connection connection =
                group.newConnection(new ServerAddress(memcached.host(), memcached.port()), 0, transport);
        List<CompletableFuture<StoreStatus>> stored = IntStream.range(0, 500)
                .mapToObj(i -> future(connection, set("tls" + i, "value " + i)))
                .toList();
        stored.forEach(status -> assertThat(result(status)).isEqualTo(StoreStatus.DONE));
        List<CompletableFuture<String>> values = IntStream.range(0, 500)
                .mapToObj(i -> future(connection, get("tls" + i)))
                .toList();
        for (int i = 0; i < 500; i++) {
            assertThat(result(values.get(i))).isEqualTo("value " + i);
        }
        String large = "large ".repeat(160_000);
        assertThat(connection.call(set("large", large), LONG_NANOS)).isEqualTo(StoreStatus.DONE);
        assertThat(connection.call(get("large"), LONG_NANOS)).isEqualTo(large);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void versionMayBeChosen(String protocol) {
        tls(trusting().withProtocols(protocol));
        stores(connect(memcached));
    }

    @Test
    void lostConnectionIsReplacedByAnotherWithTls() {
        tls(trusting());
        Connection connection = connect(memcached);
        stores(connection);
        memcached.restart();

        eventually("works again", () -> {
            try {
                return connection.call(set("tls", "again"), LONG_NANOS) == StoreStatus.DONE;
            } catch (MemcachedConnectionException e) {
                return false;
            }
        });
    }

    @Test
    void contextOfTheCallersOwnIsUsed() {
        tls(TlsOptions.of(authority.clientContext()));

        stores(connect(memcached));
        assertThat(refused(connect(memcached(authority.issue("other.example")))))
                .as("its host names are checked too")
                .hasMessageContaining("is not for \"127.0.0.1\"");
    }

    @Test
    void clientCertificateIsShownWhereTheServerDemandsOne() {
        MemcachedProcess demanding =
                memcached(serverCertificate, "-o", "ssl_verify_mode=2,ssl_ca_cert=" + authority.certificate());
        CertificateAuthority.Issued client = authority.issue("client");
        tls(trusting().withClientCertificate(client.certificates(), client.key()));

        stores(connect(demanding));
    }

    @Test
    void nameOtherThanTheHostMayBeExpected() {
        MemcachedProcess named = memcached(authority.issue("cache.example.com"));
        tls(trusting().withServerName("cache.example.com"));

        stores(connect(named));
    }

    // Those who are not.

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void demandedClientCertificateThatIsMissingFailsTheCall(String protocol) {
        MemcachedProcess demanding =
                memcached(serverCertificate, "-o", "ssl_verify_mode=2,ssl_ca_cert=" + authority.certificate());
        tls(trusting().withProtocols(protocol));

        assertThat(refused(connect(demanding))).hasMessageContaining("client certificate");
    }

    @Test
    void clientCertificateOfAStrangerFailsTheFirstCall() {
        MemcachedProcess demanding =
                memcached(serverCertificate, "-o", "ssl_verify_mode=2,ssl_ca_cert=" + authority.certificate());
        CertificateAuthority.Issued client = stranger.issue("client");
        tls(trusting().withClientCertificate(client.certificates(), client.key()));

        assertThat(refused(connect(demanding))).hasMessageContaining("connect");
    }

    @Test
    void serverOfAnotherAuthorityIsNotTrusted() {
        tls(TlsOptions.trusting(stranger.certificate()));

        assertThat(refused(connect(memcached)))
                .hasMessageContaining("the server's certificate is not trusted")
                .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue());
    }

    @Test
    void serverOfOurAuthorityIsNotTrustedByTheSystem() {
        tls(TlsOptions.trustingSystem());

        assertThat(refused(connect(memcached))).hasMessageContaining("the server's certificate is not trusted");
    }

    @Test
    void expiredCertificateFailsTheFirstCall() {
        tls(trusting());

        assertThat(refused(connect(memcached(authority.issueExpired("127.0.0.1")))))
                .hasMessageContaining("the server's certificate has expired");
    }

    @Test
    void certificateOfAnotherHostFailsUnlessAnyHostIsAccepted() {
        MemcachedProcess other = memcached(authority.issue("other.example.com"));
        tls(trusting());
        assertThat(refused(connect(other)))
                .hasMessageContaining("the server's certificate is not for \"127.0.0.1\"")
                .hasMessageContaining("withServerName");

        tls(trusting().dangerouslyAcceptingAnyHostname());
        stores(connect(other));
        tls(TlsOptions.trusting(stranger.certificate()).dangerouslyAcceptingAnyHostname());
        assertThat(refused(connect(other))).as("trust is another matter").hasMessageContaining("is not trusted");
    }

    @Test
    void serverWithoutTlsFailsTheFirstCall() {
        tls(trusting());
        ScriptedServer plain = scriptedServer().onConnection(c -> c.send("ERROR\r\n"));

        assertThat(refused(connect(plain))).hasMessageContaining("the server does not speak TLS on this port");
    }

    /** In the place of the TLS handshake, and of what comes after it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void protocolIsFoundOutWhicheverSocketsAreHungUpOn(int portion) throws IOException {
        settings.protocol(Protocol.AUTO);
        tls(trusting());
        for (int sockets : firstSockets().toArray()) {
            assertThat(speaksMeta(connect(hangingUpOn(sockets, portion, memcached.address()))))
                    .as("hang-ups on " + Integer.toBinaryString(sockets))
                    .isTrue();
        }
    }

    @Test
    void handshakeCountsIntoTheConnectTimeout() {
        settings.connectTimeout(SHORT);
        tls(trusting());

        failsWith(connect(scriptedServer()), "within 300 ms", "the TLS handshake did not complete in time");
    }

    @Test
    void serverThatHangsUpFailsTheFirstCall() {
        tls(trusting());

        assertThat(refused(connect(scriptedServer().onConnection(c -> c.cut()))))
                .hasMessageContaining("during the TLS handshake");
    }

    // Files.

    @Test
    void filesAreReadAgainWhenTheyHaveChanged() throws Exception {
        CertificateAuthority.Issued client = stranger.issue("client");
        CertificateAuthority.Issued renewed = authority.issue("client");
        Path trusted = Files.copy(stranger.certificate(), directory.resolve("trusted.pem"));
        Path certificate = Files.copy(client.certificates(), directory.resolve("client.crt"));
        Path key = Files.copy(client.key(), directory.resolve("client.key"));
        MemcachedProcess demanding =
                memcached(serverCertificate, "-o", "ssl_verify_mode=2,ssl_ca_cert=" + authority.certificate());
        tls(TlsOptions.trusting(trusted).withClientCertificate(certificate, key));
        Connection connection = connect(demanding);
        assertThat(refused(connection)).hasMessageContaining("is not trusted");

        Files.copy(authority.certificate(), trusted, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(renewed.certificates(), certificate, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(renewed.key(), key, StandardCopyOption.REPLACE_EXISTING);
        eventually("works", () -> {
            try {
                return connection.call(set("reloaded", "value"), LONG_NANOS) == StoreStatus.DONE;
            } catch (MemcachedConnectionException e) {
                return false;
            }
        });
    }

    @Test
    void fileThatIsMissingOrOfNoUseIsRefusedBeforeTheFirstCall() throws Exception {
        Path missing = directory.resolve("missing.pem");
        tls(TlsOptions.trusting(missing));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> connect(memcached))
                .withMessageContaining("tls: the TLS file " + missing + " cannot be read");

        Path garbage = Files.writeString(directory.resolve("garbage.pem"), "garbage");
        tls(TlsOptions.trusting(garbage));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> connect(memcached))
                .withMessageContaining(garbage.toString())
                .withMessageContaining("cannot be used");

        tls(trusting().withClientCertificate(serverCertificate.certificates(), garbage));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> connect(memcached))
                .withMessageContaining(garbage.toString())
                .withMessageContaining("PKCS#8");
    }

    @Test
    void partsThatDoNotFitAreRefused() throws Exception {
        SSLContext own = SSLContext.getDefault();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TlsOptions.of(own)
                        .withClientCertificate(serverCertificate.certificates(), serverCertificate.key()))
                .withMessageContaining("SSLContext");
        assertThatIllegalArgumentException().isThrownBy(() -> trusting().withServerName(" "));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> closedAfterwards(new ConnectionGroup(
                                ConnectionOptions.builder().tls(trusting()).build(), 1))
                        .newConnection(new ServerAddress("localhost", 1), 0, Transport.CALLER_DRIVEN))
                .withMessageContaining("CALLER_DRIVEN");
    }

    // Records.

    @Test
    void repliesMeetTheirCommandsHoweverRecordsCutThem() {
        tls(trusting());
        ScriptedServer server =
                closedAfterwards(ScriptedServer.start(CertificateAuthority.serverContext(serverCertificate))
                        .expectTimeout(LONG));
        server.onConnection(c -> {
            greet(c);
            StringBuilder replies = new StringBuilder();
            for (int i = 0; i < 100; i++) {
                replies.append(replyTo(c.readLine()));
            }
            c.send(replies.toString());
            for (char each : replyTo(c.readLine()).toCharArray()) {
                c.send(String.valueOf(each));
            }
            c.send(hit(c.readLine(), "x".repeat(100_000)));
        });
        Connection connection = connect(server);
        List<CompletableFuture<String>> values = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            values.add(future(connection, get("record" + i)));
        }
        for (int i = 0; i < 100; i++) {
            assertThat(result(values.get(i))).isEqualTo("value of record" + i);
        }
        assertThat(result(future(connection, get("slices")))).isEqualTo("value of slices");
        assertThat(result(future(connection, get("large")))).hasSize(100_000);
    }
}
