// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Runs on whatever server the ladder finds. */
@MemcachedTest
class MemcachedExtensionIT {

    private final LeakCheck leaks = LeakCheck.start();
    private final MemcachedServer server;

    MemcachedExtensionIT(MemcachedServer server) {
        this.server = server;
    }

    @Test
    void theServerAnswers(InetSocketAddress address) throws IOException {
        assertThat(address.getPort()).isEqualTo(server.port());
        assertThat(RawClient.ask(server, "set extension-it 0 0 1\r\nx\r\nget extension-it\r\n"))
                .isEqualTo("STORED\r\nVALUE extension-it 0 1\r\nx\r\nEND\r\n");
        leaks.assertNothingLeft();
    }

    @Nested
    class InANestedClass {

        @Test
        void theServerIsTheSame(MemcachedServer injected) {
            assertThat(injected).isSameAs(server);
        }
    }
}
