// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.memshard.Memshard;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServersTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Test
    void anEmbeddedServerComesBackUnderItsAddress() {
        try (Servers servers = Servers.start(Servers.Kind.EMBEDDED, 2)) {
            SampleServer server = servers.get(1);
            String address = server.address();
            assertThat(address).isNotEqualTo(servers.get(0).address());
            server.stop();
            server.stop();
            assertThat(server.isRunning()).isFalse();
            server.start();
            server.start();

            assertThat(server.isRunning()).isTrue();
            assertThat(server.address()).isEqualTo(address);
            try (Memshard client = Memshard.builder()
                    .servers(address)
                    .requestTimeout(TIMEOUT)
                    .connectTimeout(TIMEOUT)
                    .build()) {
                assertThat(client.health(TIMEOUT).isUp()).isTrue();
            }
        }
    }

    @Test
    void aGivenServerCannotBeStopped() {
        try (Servers servers = Servers.given(List.of("cache-1:11211", " cache-2:11212"))) {
            assertThat(servers.all())
                    .extracting(SampleServer::address)
                    .containsExactly("cache-1:11211", "cache-2:11212");
            assertThatIllegalStateException()
                    .isThrownBy(() -> servers.get(0).stop())
                    .withMessage("cache-1:11211 cannot be stopped: the sample did not start it");
        }
    }

    @Test
    void aNumberWithoutAServerIsNamed() {
        try (Servers servers = Servers.start(Servers.Kind.EMBEDDED, 1)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> servers.get(1))
                    .withMessage("no server 1: use 0 to 0");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> Servers.start(Servers.Kind.EMBEDDED, 0));
    }
}
