// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.Memshard;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServersTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Test
    void anEmbeddedServerComesBackUnderItsAddress() {
        try (Servers servers = Servers.start(2, false)) {
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
    void aNumberWithoutAServerIsNamed() {
        try (Servers servers = Servers.start(1, false)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> servers.get(1))
                    .withMessage("no server 1: use 0 to 0");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> Servers.start(0, false));
    }
}
