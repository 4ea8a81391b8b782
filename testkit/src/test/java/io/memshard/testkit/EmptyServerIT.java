// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each test meets a server without items. */
@Tag("installed")
class EmptyServerIT {

    private static void addsAnItem(MemcachedServer server) throws IOException {
        assertThat(RawClient.ask(server, "add once 0 0 1\r\nx\r\n")).isEqualTo("STORED\r\n");
    }

    @Nested
    @MemcachedTest(ServerChoice.EMBEDDED)
    class Embedded {

        @RepeatedTest(3)
        void itemsOfOtherTestsAreGone(MemcachedServer server) throws IOException {
            assertThat(server).isInstanceOf(EmbeddedMemcached.class);
            addsAnItem(server);
        }

        @Nested
        class InANestedClass {

            @Test
            void theServerIsEmbeddedToo(MemcachedServer server) throws IOException {
                assertThat(server).isInstanceOf(EmbeddedMemcached.class);
                addsAnItem(server);
            }
        }
    }

    @Nested
    @ExtendWith(MemcachedExtension.class)
    class WithoutTheAnnotation {

        @RepeatedTest(2)
        void theServerIsTheOneThatWasFound(MemcachedServer server) throws IOException {
            if (!(server instanceof GivenServer)) {
                addsAnItem(server);
            }
        }
    }
}
