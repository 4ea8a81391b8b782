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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of docs/testing.md and docs/get-started.md. It runs too. */
@Timeout(120)
class TestingExamplesIT {

    /** Beside a load it may fail: its time-out of 500 ms is the default. */
    @Test
    @Tag("deep")
    void getStarted() throws ReflectiveOperationException {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try (EmbeddedMemcached server = EmbeddedMemcached.start()) {
            loadClasses(server);
            Object servers = new String[] {server.host() + ':' + server.port()};
            Class.forName("Hello").getMethod("main", String[].class).invoke(null, servers);
        } finally {
            System.setOut(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualTo("hello" + System.lineSeparator());
    }

    /** Calls once: on a busy machine the first call of a JVM takes longer than the default time-out. */
    private static void loadClasses(EmbeddedMemcached server) {
        try (Memshard memshard = Memshard.builder()
                .servers(server.address())
                .requestTimeout(Duration.ofSeconds(30))
                .build()) {
            memshard.client(Transcoder.utf8()).set("other", "hello", Duration.ofMinutes(5));
        }
    }

    @Test
    void embedded() {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                Memshard memshard = Memshard.builder()
                        .servers(server.address())
                        .requestTimeout(Duration.ofSeconds(30))
                        .connectTimeout(Duration.ofSeconds(30))
                        .build()) {
            MemcachedClient<String> cache = memshard.client(Transcoder.utf8());
            cache.set("key", "value", Duration.ofMinutes(1));
            assertThat(cache.get("key")).isEqualTo("value");
        }
    }

    @Test
    void ownClock() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        EmbeddedMemcached server = EmbeddedMemcached.builder().clock(now::get).start();
        // ... store something for a minute, then:
        now.updateAndGet(time -> time.plusSeconds(61));
        server.close();
    }

    @Nested
    @MemcachedTest
    class SessionsIT {

        @Test
        void aSessionIsThereAfterwards(MemcachedServer server) {
            try (Memshard memshard = Memshard.builder()
                    .servers(server.address())
                    .requestTimeout(Duration.ofSeconds(30))
                    .connectTimeout(Duration.ofSeconds(30))
                    .build()) {
                MemcachedClient<String> sessions = memshard.client(Transcoder.utf8());
                String key = "session:" + UUID.randomUUID();
                sessions.set(key, "ada", Duration.ofMinutes(1));
                assertThat(sessions.get(key)).isEqualTo("ada");
            }
        }
    }

    @Test
    void network() throws IOException {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                FaultProxy proxy = new FaultProxy(server.address());
                Memshard memshard = Memshard.builder()
                        .servers(proxy.address())
                        .requestTimeout(Duration.ofSeconds(30))
                        .connectTimeout(Duration.ofSeconds(30))
                        .build()) {
            MemcachedClient<String> cache = memshard.client(Transcoder.utf8());
            cache.get("key");
            proxy.stall(true);
            assertThatThrownBy(() -> cache.withTimeout(Duration.ofMillis(100)).get("key"))
                    .isInstanceOf(MemcachedTimeoutException.class);
            proxy.heal();
            cache.get("key");
        }
    }

    @Test
    void misbehaving() {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(connection -> connection
                    .greet()
                    .expectLine(line -> line.startsWith("mg key "))
                    .send("SERVER_ERROR out of memory\r\n"));
            try (Memshard memshard = Memshard.builder()
                    .servers(server.address())
                    .requestTimeout(Duration.ofSeconds(30))
                    .connectTimeout(Duration.ofSeconds(30))
                    .build()) {
                assertThatThrownBy(() -> memshard.client().get("key")).hasMessageContaining("out of memory");
            }
            server.verify();
        }
    }
}
