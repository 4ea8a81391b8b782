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

    private static Found climb(Map<String, String> environment, Map<String, String> properties) {
        return climb(environment, properties, ServerChoice.AUTO);
    }

    private static Found climb(Map<String, String> environment, Map<String, String> properties, ServerChoice choice) {
        return new ServerLadder(environment::get, properties::get, () -> {
                    throw new IllegalStateException("no Docker engine");
                })
                .climb(choice);
    }

    @Test
    void embeddedIsTakenLastAndTheReportSaysWhy() {
        Found found = climb(NOTHING, Map.of());
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
            String address = running.host() + ":" + running.port();
            Found byVariable = climb(Map.of("MEMCACHED_ADDR", address), Map.of());
            assertThat(byVariable.rung()).isEqualTo(Rung.ADDRESS);
            assertThat(byVariable.server().address()).isEqualTo(running.address());
            Found byProperty = climb(Map.of("MEMCACHED_ADDR", "elsewhere:1"), Map.of("memcached.addr", address));
            assertThat(byProperty.server().port()).isEqualTo(running.port());
            assertThat(byProperty.report()).startsWith("memcached server: given server " + Sessions.VERSION);
            byProperty.server().close();
            assertThat(climb(Map.of("MEMCACHED_ADDR", address), Map.of()).rung())
                    .isEqualTo(Rung.ADDRESS);
        }
    }

    @Test
    void aGivenAddressWithoutAServerFailsInsteadOfTakingAnother() {
        try (ClosedPort closed = new ClosedPort()) {
            String address = "127.0.0.1:" + closed.port();
            assertThatIllegalStateException()
                    .isThrownBy(() -> climb(Map.of("MEMCACHED_ADDR", address), Map.of()))
                    .withMessageContaining(address);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {":11211", "host:x", "host:0", "host:65536"})
    void aMalformedAddressIsRefused(String address) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> climb(Map.of("MEMCACHED_ADDR", address), Map.of()))
                .withMessageContaining(address);
    }

    @Test
    void realDoesNotCountEmbeddedAndSaysWhatToInstall() {
        assertThatIllegalStateException()
                .isThrownBy(() -> climb(NOTHING, Map.of("memshard.server", "real")))
                .withMessageContaining("no memcached on the PATH")
                .withMessageContaining("apt-get install memcached")
                .withMessageContaining("MEMCACHED_ADDR=host:port");
    }

    @Test
    void aForcedRungIsTheOnlyOne() {
        try (MemcachedServer server = climb(
                        Map.of("MEMCACHED_ADDR", "elsewhere:1"), Map.of("memshard.server", "embedded"))
                .server()) {
            assertThat(server).isInstanceOf(EmbeddedMemcached.class);
        }
        assertThatIllegalStateException().isThrownBy(() -> climb(NOTHING, Map.of("memshard.server", "process")));
        assertThatIllegalStateException().isThrownBy(() -> climb(NOTHING, Map.of("memshard.server", "docker")));
    }

    @Test
    void aChoiceOverridesTheProperty() {
        assertThatIllegalStateException()
                .isThrownBy(() -> climb(NOTHING, Map.of("memshard.server", "embedded"), ServerChoice.REAL));
        Map<String, String> process = Map.of("memshard.server", "process");
        try (MemcachedServer server =
                climb(NOTHING, process, ServerChoice.EMBEDDED).server()) {
            assertThat(server).isInstanceOf(EmbeddedMemcached.class);
        }
    }

    @Test
    void anUnknownModeIsRefusedWithTheChoices() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> climb(NOTHING, Map.of("memshard.server", "reel")))
                .withMessageContaining("real, address, process, docker or embedded")
                .withMessageContaining("reel");
    }

    @Test
    void aProgramOtherThanMemcachedIsSkipped(@TempDir Path directory) throws IOException {
        Path program = Files.writeString(directory.resolve("memcached"), "#!/bin/sh\nexit 1\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Map<String, String> environment = Map.of("PATH", directory.toString());
        try (MemcachedServer server = climb(environment, Map.of()).server()) {
            assertThat(server).isInstanceOf(EmbeddedMemcached.class);
        }
    }
}
