// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
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

    private static TlsOptions trusting() {
        return TlsOptions.trusting(authority.certificate());
    }

    private static void stores(Connection connection) {
        assertThat(connection.call(set("tls", "value"), LONG_NANOS)).isEqualTo(StoreStatus.DONE);
        assertThat(connection.call(get("tls"), LONG_NANOS)).isEqualTo("value");
    }

    private MemcachedProcess memcached(CertificateAuthority.Issued shown, String... arguments) {
        return closedAfterwards(MemcachedProcess.startTls(shown.certificates(), shown.key(), arguments));
    }

    /** One that demands a client certificate. */
    private MemcachedProcess demanding() {
        return memcached(serverCertificate, "-o", "ssl_verify_mode=2,ssl_ca_cert=" + authority.certificate());
    }

    // Those who are let in.

    @Test
    void commandsOfAllSizesAreExecuted() {
        settings.tls = trusting();
        storesAndReadsMany(connect(memcached));
    }

    @Test
    void contextOfTheCallersOwnIsUsed() {
        settings.tls = TlsOptions.of(authority.clientContext());

        stores(connect(memcached));
        assertThat(failedCall(connect(memcached(authority.issue("other.example")))))
                .as("its host names are checked too")
                .hasMessageContaining("is not for \"127.0.0.1\"");
    }

    @Test
    void clientCertificateIsShownWhereTheServerDemandsOne() {
        MemcachedProcess demanding = demanding();
        CertificateAuthority.Issued client = authority.issue("client");
        settings.tls = trusting().withClientCertificate(client.certificates(), client.key());

        stores(connect(demanding));
    }

    @Test
    void nameOtherThanTheHostMayBeExpected() {
        MemcachedProcess named = memcached(authority.issue("cache.example.com"));
        settings.tls = trusting().withServerName("cache.example.com");

        stores(connect(named));
    }

    // Those who are not.

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void demandedClientCertificateThatIsMissingFailsTheCall(String protocol) {
        MemcachedProcess demanding = demanding();
        settings.tls = trusting().withProtocols(protocol);

        assertThat(failedCall(connect(demanding))).hasMessageContaining("client certificate");
    }

    @Test
    void certificateOfAnotherHostFailsUnlessAnyHostIsAccepted() {
        MemcachedProcess other = memcached(authority.issue("other.example.com"));
        settings.tls = trusting();
        assertThat(failedCall(connect(other)))
                .hasMessageContaining("the server's certificate is not for \"127.0.0.1\"")
                .hasMessageContaining("withServerName");

        settings.tls = trusting().dangerouslyAcceptingAnyHostname();
        stores(connect(other));
        settings.tls = TlsOptions.trusting(stranger.certificate()).dangerouslyAcceptingAnyHostname();
        assertThat(failedCall(connect(other))).as("trust is another matter").hasMessageContaining("is not trusted");
    }

    // Files.

    @Test
    void filesAreReadAgainWhenTheyHaveChanged() throws Exception {
        CertificateAuthority.Issued client = stranger.issue("client");
        CertificateAuthority.Issued renewed = authority.issue("client");
        Path trusted = Files.copy(stranger.certificate(), directory.resolve("trusted.pem"));
        Path certificate = Files.copy(client.certificates(), directory.resolve("client.crt"));
        Path key = Files.copy(client.key(), directory.resolve("client.key"));
        MemcachedProcess demanding = demanding();
        settings.tls = TlsOptions.trusting(trusted).withClientCertificate(certificate, key);
        Connection connection = connect(demanding);
        assertThat(failedCall(connection)).hasMessageContaining("is not trusted");

        Files.copy(authority.certificate(), trusted, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(renewed.certificates(), certificate, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(renewed.key(), key, StandardCopyOption.REPLACE_EXISTING);
        returnsInTheEnd(StoreStatus.DONE, () -> connection.call(set("reloaded", "value"), LONG_NANOS));
    }

    @Test
    void fileThatIsMissingOrOfNoUseIsRefusedBeforeTheFirstCall() throws Exception {
        Path missing = directory.resolve("missing.pem");
        settings.tls = TlsOptions.trusting(missing);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> connect(memcached))
                .withMessageContaining("tls: the TLS file " + missing + " cannot be read");

        Path garbage = Files.writeString(directory.resolve("garbage.pem"), "garbage");
        settings.tls = TlsOptions.trusting(garbage);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> connect(memcached))
                .withMessageContaining(garbage.toString())
                .withMessageContaining("cannot be used");

        settings.tls = trusting().withClientCertificate(serverCertificate.certificates(), garbage);
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
        settings.tls = trusting();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> closedAfterwards(new ConnectionGroup(options(), 1))
                        .newConnection(new ServerAddress("localhost", 1), 0, Transport.CALLER_DRIVEN))
                .withMessageContaining("CALLER_DRIVEN")
                .withMessageContaining("use AUTO or EVENT_LOOP");
        ServerAddress socket = ServerAddress.parse("unix:/run/memcached.sock");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> connect(socket))
                .withMessageContaining("unix:/run/memcached.sock");
    }

    // Records.

    @Test
    void repliesMeetTheirCommandsHoweverRecordsCutThem() {
        settings.tls = trusting();
        ScriptedServer server =
                closedAfterwards(ScriptedServer.start(CertificateAuthority.serverContext(serverCertificate))
                        .expectTimeout(LONG));
        server.onConnection(c -> {
            c.greet();
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
