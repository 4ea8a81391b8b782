// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.memshard.testkit.ServerLadder.Found;
import io.memshard.testkit.ServerLadder.Rung;
import io.memshard.testkit.embedded.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerLadderTest {

    /** Environment without memcached on the PATH. */
    private static final Map<String, String> NOTHING = Map.of("PATH", "");

    private static Found climb(Map<String, String> environment, String mode) {
        return new ServerLadder(environment::get, mode, () -> {
                    throw new IllegalStateException("no Docker engine");
                })
                .climb();
    }

    @Test
    void embeddedIsTakenLastAndTheReportNamesTheReason() {
        Found found = climb(NOTHING, "");

        try (MemcachedServer server = found.server()) {
            assertThat(found.rung()).isEqualTo(Rung.EMBEDDED);
            assertThat(server).isInstanceOf(EmbeddedMemcached.class);
            assertThat(found.report())
                    .contains("embedded memcached", "MEMCACHED_ADDR is not set", "no memcached on the PATH")
                    .contains("no Docker engine");
        }
    }

    @Test
    void aGivenAddressComesFirst() {
        try (EmbeddedMemcached running = EmbeddedMemcached.start()) {
            Map<String, String> environment = Map.of("MEMCACHED_ADDR", running.host() + ":" + running.port());

            Found found = climb(environment, "");
            found.server().close();

            assertThat(found.rung()).isEqualTo(Rung.ADDRESS);
            assertThat(found.server().address()).isEqualTo(running.address());
            assertThat(found.report()).startsWith("memcached server: given server " + Sessions.VERSION);
            assertThat(climb(environment, "").rung())
                    .as("closing leaves the server running")
                    .isEqualTo(Rung.ADDRESS);
        }
    }

    @Test
    void aGivenAddressWithoutAServerFailsInsteadOfTakingAnother() {
        try (ClosedPort closed = new ClosedPort()) {
            String address = "127.0.0.1:" + closed.port();

            assertThatIllegalStateException()
                    .isThrownBy(() -> climb(Map.of("MEMCACHED_ADDR", address), ""))
                    .withMessageContaining(address);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {":11211", "host:x", "host:0", "host:65536"})
    void aMalformedAddressIsRefused(String address) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> climb(Map.of("MEMCACHED_ADDR", address), ""))
                .withMessageContaining(address);
    }

    @Test
    void modeRealSkipsTheEmbeddedServerAndNamesThePackage() {
        assertThatIllegalStateException()
                .isThrownBy(() -> climb(NOTHING, "real"))
                .withMessageContaining("no memcached on the PATH")
                .withMessageContaining("apt-get install memcached")
                .withMessageContaining("MEMCACHED_ADDR=host:port");
    }

    @Test
    void aForcedRungIsTheOnlyOne() {
        try (MemcachedServer server =
                climb(Map.of("MEMCACHED_ADDR", "elsewhere:1"), "embedded").server()) {
            assertThat(server).isInstanceOf(EmbeddedMemcached.class);
        }
        assertThatIllegalStateException().isThrownBy(() -> climb(NOTHING, "process"));
        assertThatIllegalStateException().isThrownBy(() -> climb(NOTHING, "docker"));
    }

    @Test
    void anUnknownModeIsRefusedWithTheChoices() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> climb(NOTHING, "reel"))
                .withMessageContaining("real, address, process, docker or embedded")
                .withMessageContaining("reel");
    }

    @Test
    void aProgramOtherThanMemcachedIsSkipped(@TempDir Path directory) throws IOException {
        Path program = Files.writeString(directory.resolve("memcached"), "#!/bin/sh\nexit 1\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();

        try (MemcachedServer server =
                climb(Map.of("PATH", directory.toString()), "").server()) {
            assertThat(server).isInstanceOf(EmbeddedMemcached.class);
        }
    }
}
