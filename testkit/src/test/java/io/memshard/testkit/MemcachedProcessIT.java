// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@NeedsProgram(Program.MEMCACHED)
@Timeout(60)
class MemcachedProcessIT {

    private final LeakCheck leaks = LeakCheck.start();
    private MemcachedProcess server;

    @BeforeEach
    void start() {
        server = MemcachedProcess.start("-m", "32");
    }

    @AfterEach
    void close() {
        server.close();
        server.close();
        assertThat(server.isAlive()).isFalse();
        leaks.assertNothingLeft();
    }

    @Test
    void takesExtraArgumentsAndDescribesItself() throws IOException {
        assertThat(RawClient.ask(server, "stats\r\n")).contains("STAT limit_maxbytes " + (32 << 20));
        assertThat(server.description()).contains("process", "127.0.0.1:" + server.port());
        assertThat(server.address().getPort()).isEqualTo(server.port());
    }

    @Test
    void aStoppedProcessIsSilentUntilItIsResumed() throws IOException {
        try (RawClient client = new RawClient(server.address())) {
            assertThat(client.ask("mn\r\n")).isEqualTo("MN\r\n");
            server.stop();
            client.socket().setSoTimeout(100);
            client.send("mn\r\n");
            assertThatIOException().isThrownBy(() -> client.read(4)).isInstanceOf(SocketTimeoutException.class);
            client.socket().setSoTimeout(60_000);
            server.resume();
            assertThat(client.read(4)).isEqualTo("MN\r\n");
            server.stop(); // A stopped process can be closed.
        }
    }

    @Test
    void aKilledProcessComesBackEmptyOnTheSamePort() throws IOException {
        int port = server.port();
        RawClient.ask(server, "set a 0 0 1\r\nx\r\n");
        server.kill();
        assertThat(server.isAlive()).isFalse();
        assertThatIOException().isThrownBy(() -> RawClient.ask(server, ""));
        assertThatIllegalStateException().isThrownBy(() -> server.stop());
        server.restart();
        assertThat(server.port()).isEqualTo(port);
        assertThat(RawClient.ask(server, "get a\r\n")).isEqualTo("END\r\n");
    }

    @Test
    void aProgramThatDoesNotRunIsNamed() {
        assertThatIllegalStateException()
                .isThrownBy(() -> MemcachedProcess.start(Path.of("/nowhere/memcached")))
                .withMessageContaining("/nowhere/memcached");
    }
}
