// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.admin.ServerHealth;
import io.memshard.testkit.ClosedPort;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A server that has a name is called by it wherever a server is shown. */
class ServerNamesIT {

    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    void nameAndAddressAreShown() {
        try (ClosedPort port = new ClosedPort();
                Memshard memshard = Memshard.builder()
                        .servers("cache-2=127.0.0.1:" + port.port())
                        .connectionsPerServer(1)
                        .requestTimeout(LONG)
                        .build()) {
            String shown = "cache-2 (127.0.0.1:" + port.port() + ")";

            assertThatThrownBy(() -> memshard.client().get("a"))
                    .hasMessageEndingWith("mg \"a\" on " + shown + "[0], queued");
            assertThat(memshard.serverStatuses()).singleElement().asString().startsWith(shown);
            assertThat(memshard.healthByServer(LONG))
                    .singleElement()
                    .extracting(ServerHealth::server)
                    .hasToString(shown);
            assertThat(memshard.topology().servers()).hasToString("[cache-2=127.0.0.1:" + port.port() + "]");
        }
    }
}
