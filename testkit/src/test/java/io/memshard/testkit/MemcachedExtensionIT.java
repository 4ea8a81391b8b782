// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Runs on whatever server the ladder finds. Each test meets a server without items. */
@MemcachedTest
class MemcachedExtensionIT {

    private final LeakCheck leaks = LeakCheck.start();
    private final MemcachedServer server;

    MemcachedExtensionIT(MemcachedServer server) {
        this.server = server;
    }

    private static void addsAnItem(MemcachedServer server) throws IOException {
        assertThat(RawClient.ask(server, "add once 0 0 1\r\nx\r\n")).isEqualTo("STORED\r\n");
    }

    @RepeatedTest(2)
    void theServerAnswersAndItemsOfOtherTestsAreGone(InetSocketAddress address) throws IOException {
        assertThat(address.getPort()).isEqualTo(server.port());
        if (!(server instanceof GivenServer)) {
            addsAnItem(server);
        }
        leaks.assertNothingLeft();
    }

    @Nested
    class InANestedClass {

        @Test
        void theServerIsTheSame(MemcachedServer injected) {
            assertThat(injected).isSameAs(server);
        }
    }

    @Nested
    @MemcachedTest(ServerChoice.EMBEDDED)
    class Embedded {

        @RepeatedTest(3)
        void itemsOfOtherTestsAreGone(MemcachedServer embedded) throws IOException {
            assertThat(embedded).isInstanceOf(EmbeddedMemcached.class);
            addsAnItem(embedded);
        }

        @Nested
        class InANestedClass {

            @Test
            void theServerIsEmbeddedToo(MemcachedServer embedded) throws IOException {
                assertThat(embedded).isInstanceOf(EmbeddedMemcached.class);
                addsAnItem(embedded);
            }
        }
    }
}
