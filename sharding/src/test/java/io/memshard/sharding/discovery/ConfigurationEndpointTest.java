// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.TlsOptions;
import io.memshard.sharding.ring.Server;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ConfigurationEndpointTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(100);

    private final RecordedLog log = new RecordedLog();
    private LeakCheck leaks;
    private ScriptedServer server;

    private volatile String answer = "";

    @BeforeEach
    void startServer() {
        leaks = LeakCheck.start();
        server = ScriptedServer.start();
        server.onConnection(c -> c.replyTo(line -> answer));
    }

    @AfterEach
    void nothingIsLeft() {
        server.close();
        leaks.assertNothingLeft();
    }

    private ConfigurationEndpoint endpoint(@Nullable TlsOptions tls) {
        return new ConfigurationEndpoint(new ServerAddress(server.host(), server.port()), tls, null, log.logger());
    }

    private ConfigurationEndpoint endpoint() {
        return endpoint(null);
    }

    private static String config(String list) {
        return "CONFIG cluster 0 " + list.length() + "\r\n" + list + "\r\nEND\r\n";
    }

    private List<String> hosts(ServerSource endpoint) throws Exception {
        return endpoint.servers(LONG).stream()
                .map(found -> found.address().host())
                .toList();
    }

    @Test
    void theListIsInTheEndpointsOrder() throws Exception {
        answer = config("3\nb|10.0.0.2|11211 a|10.0.0.1|11212\n");

        assertThat(endpoint().servers(LONG))
                .containsExactly(
                        new Server(null, new ServerAddress("b", 11211), "10.0.0.2", 1, null),
                        new Server(null, new ServerAddress("a", 11212), "10.0.0.1", 1, null));
        assertThat(endpoint()).hasToString("configuration endpoint 127.0.0.1:" + server.port());
        assertThat(ServerSource.configurationEndpoint(new ServerAddress("a", 1)).period())
                .isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void onlyAHigherVersionIsTaken() throws Exception {
        ConfigurationEndpoint endpoint = endpoint();
        answer = config("3\na||1\n");
        assertThat(hosts(endpoint)).containsExactly("a");
        answer = config("3\nb||1\n");
        assertThat(hosts(endpoint)).containsExactly("a");
        answer = config("2\nc||1\n");
        assertThat(hosts(endpoint)).containsExactly("a");
        answer = config("10\nd||1\n");
        assertThat(hosts(endpoint)).containsExactly("d");
    }

    @Test
    void aRestartedEndpointIsUsedWhenNoOtherVersionCame() throws Exception {
        ConfigurationEndpoint endpoint = endpoint();
        answer = config("30\na||1\n");
        assertThat(hosts(endpoint)).containsExactly("a");
        for (int nodesAgree = 0; nodesAgree < 2; nodesAgree++) {
            answer = config("1\nb||1\n");
            for (int query = 1; query < 5; query++) {
                assertThat(hosts(endpoint)).containsExactly("a");
            }
            if (nodesAgree == 0) {
                answer = config("30\na||1\n");
                assertThat(hosts(endpoint)).containsExactly("a");
            }
        }
        answer = config("2\nb||1 c||1\n");
        assertThat(hosts(endpoint)).containsExactly("b", "c");
        answer = config("3\nc||1\n");
        assertThat(hosts(endpoint)).containsExactly("c");
        assertThat(log.at("warn"))
                .hasSize(2)
                .allMatch(line -> line.contains("the list has version 1, which is lower than version 30"));
    }

    @Test
    void aServerThatIsNotAnEndpointIsReported() {
        answer = "ERROR\r\n";
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> endpoint().servers(LONG))
                .withMessage("the server answered ERROR to the command config get cluster, but a configuration"
                        + " endpoint answers this command with a list of servers: set the address of such an endpoint,"
                        + " or replace discovery(...) by servers(...)");
        answer = "SERVER_ERROR busy\r\n";
        assertThatExceptionOfType(MemcachedException.class)
                .isThrownBy(() -> endpoint().servers(LONG))
                .withMessageContaining("SERVER_ERROR busy");
    }

    @Test
    void aMalformedListFailsAndChangesNothing() throws Exception {
        ConfigurationEndpoint endpoint = endpoint();
        answer = config("3\na||1\n");
        assertThat(hosts(endpoint)).containsExactly("a");
        for (String list : List.of("4\na:1\n", "four\na||1\n", "4", "4\na||1\r\nEND\r\nx")) {
            answer = config(list);
            if (list.equals("4")) {
                assertThat(endpoint.servers(LONG))
                        .as("no nodes, which Discovery refuses")
                        .isEmpty();
                continue;
            }
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> endpoint.servers(LONG))
                    .withMessageContaining("the list of servers ");
        }
    }

    @Test
    void aLyingLengthIsRefusedBeforeItIsRead() {
        answer = "CONFIG cluster 0 2000000000\r\n";
        assertThatExceptionOfType(MemcachedProtocolException.class)
                .isThrownBy(() -> endpoint().servers(LONG))
                .withMessageContaining("more than 1048576 bytes");
    }

    @Test
    void anAnswerThatStallsTimesOut() {
        for (String part : List.of("", "CONFIG", "CONFIG cluster 0 100\r\n3\na", "CONFIG cluster 0 2\r\n3\n\r\n")) {
            answer = part;
            // A starved thread may have no time left to connect.
            assertThatThrownBy(() -> endpoint().servers(SHORT))
                    .isInstanceOfAny(MemcachedTimeoutException.class, IOException.class);
        }
    }

    @Test
    void anUnresolvableNameIsReported() {
        String name = "x".repeat(64); // A label has 63 characters at most, so nobody is asked for it.
        ServerSource nowhere = ServerSource.configurationEndpoint(new ServerAddress(name, 11211));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> nowhere.servers(LONG))
                .withMessageContainingAll("the name of the endpoint cannot be resolved", name);
    }

    @Test
    void tlsIsUsedIfConfigured(@TempDir Path directory) throws Exception {
        CertificateAuthority authority = CertificateAuthority.create(directory, "ours");
        server.close();
        server = ScriptedServer.start(CertificateAuthority.serverContext(authority.issue("127.0.0.1")));
        server.onConnection(c -> c.replyTo(line -> config("3\na||1\n")));

        assertThat(hosts(endpoint(TlsOptions.trusting(authority.certificate()))))
                .containsExactly("a");
    }
}
