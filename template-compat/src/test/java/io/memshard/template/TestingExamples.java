// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.Memshard;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import io.memshard.testkit.fault.FaultProxy;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The code of docs/testing.md, so that the compiler reads it. */
@SuppressWarnings("unused")
final class TestingExamples {

    private void embedded() {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                Memshard memshard = Memshard.builder().server(server.address()).build()) {
            MemcachedClient<String> cache = memshard.client(Transcoder.utf8());
            cache.set("key", "value", Duration.ofMinutes(1));
            assertThat(cache.get("key")).isEqualTo("value");
        }
    }

    private void ownClock() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        EmbeddedMemcached server = EmbeddedMemcached.builder().clock(now::get).start();
        // ... store something for a minute, then:
        now.updateAndGet(time -> time.plusSeconds(61));
        server.close();
    }

    @MemcachedTest
    class SessionsIT {

        @Test
        void aSessionIsThereAfterwards(MemcachedServer server) {
            try (Memshard memshard = Memshard.builder().server(server.address()).build()) {
                MemcachedClient<String> sessions = memshard.client(Transcoder.utf8());
                String key = "session:" + UUID.randomUUID();
                sessions.set(key, "ada", Duration.ofMinutes(1));
                assertThat(sessions.get(key)).isEqualTo("ada");
            }
        }
    }

    private void network() throws IOException {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                FaultProxy proxy = new FaultProxy(server.address());
                Memshard memshard = Memshard.builder().server(proxy.address()).build()) {
            MemcachedClient<String> cache = memshard.client(Transcoder.utf8());
            cache.get("key");
            proxy.stall(true);
            assertThatThrownBy(() -> cache.get("key")).isInstanceOf(MemcachedTimeoutException.class);
            proxy.heal();
            cache.get("key");
        }
    }

    private void misbehaving() {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(connection -> connection
                    .greet()
                    .expectLine(line -> line.startsWith("mg key "))
                    .send("SERVER_ERROR out of memory\r\n"));
            try (Memshard memshard = Memshard.builder().server(server.address()).build()) {
                assertThatThrownBy(() -> memshard.client().get("key")).hasMessageContaining("out of memory");
            }
            server.verify();
        }
    }
}
