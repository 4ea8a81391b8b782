// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.chunked;

import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract of the chunked client, over each kind of server. */
class ChunkedClientIT {

    private static EmbeddedMemcached embedded;

    @BeforeAll
    static void startEmbedded() {
        embedded = EmbeddedMemcached.start();
    }

    @AfterAll
    static void closeEmbedded() {
        embedded.close();
    }

    @Nested
    @MemcachedTest
    class OnTheServerThereIs extends ChunkedClientContract {

        OnTheServerThereIs(MemcachedServer server) {
            super(server);
        }
    }

    @Nested
    class OnEmbedded extends ChunkedClientContract {

        OnEmbedded() {
            super(embedded);
        }
    }
}
