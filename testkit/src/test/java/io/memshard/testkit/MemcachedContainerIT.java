// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.dockerjava.api.exception.NotFoundException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;

@Timeout(180)
@Tag("installed")
class MemcachedContainerIT {

    private static final String IMAGE = System.getProperty(MemcachedContainer.IMAGE_PROPERTY, "memcached:1.6");

    private static void needEngine() {
        assumeTrue(
                Boolean.parseBoolean(System.getenv("TESTCONTAINERS_RYUK_DISABLED")),
                "TESTCONTAINERS_RYUK_DISABLED is not set, and its image may be out of reach");
        if (!isPresent(IMAGE)) {
            throw Program.skip("a Docker engine with the image " + IMAGE + ", see docs/docker.md");
        }
    }

    private static MemcachedContainer start() {
        needEngine();
        return MemcachedContainer.start();
    }

    @Test
    void aContainerAnswersUntilItIsClosed() throws IOException {
        MemcachedContainer container = start();
        try (container) {
            assertThat(RawClient.ask(container, "mn\r\n")).isEqualTo("MN\r\n");
            assertThat(container.description()).contains("container " + IMAGE);
            assertThat(container.containerId()).isNotEmpty();
        }
        container.close();
    }

    @Test
    void aContainerWithTlsAnswersClientsThatTrustIt(@TempDir Path directory) throws IOException {
        needEngine();
        CertificateAuthority authority = CertificateAuthority.create(directory, "authority");
        CertificateAuthority.Issued own = authority.issue("127.0.0.1");
        try (MemcachedContainer container = MemcachedContainer.startTls(own.certificates(), own.key());
                Socket socket =
                        authority.clientContext().getSocketFactory().createSocket(container.host(), container.port())) {
            socket.getOutputStream().write("mn\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().readNBytes(4)).asString().isEqualTo("MN\r\n");
        }
    }

    @Test
    void aContainerWithUsersAnswersThem(@TempDir Path directory) throws IOException {
        needEngine();
        Path users = Files.writeString(directory.resolve("users"), "alice:secret\n");
        try (MemcachedContainer container = MemcachedContainer.startAuthenticated(users);
                RawClient client = new RawClient(container.address())) {
            client.send("mn\r\n");
            assertThat(client.read(30)).isEqualTo("CLIENT_ERROR unauthenticated\r\n");
            client.send("set a 0 0 12\r\nalice secret\r\nmn\r\n");
            assertThat(client.read(12)).isEqualTo("STORED\r\nMN\r\n");
        }
    }

    private static boolean isPresent(String image) {
        try {
            DockerClientFactory.lazyClient().inspectImageCmd(image).exec();
            return true;
        } catch (IllegalStateException | NotFoundException e) {
            return false;
        }
    }
}
