// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Loads of a template's asynchronous client, which pause by the timer of its connections. */
@Timeout(60)
class TemplateLoadIT {

    private static final Duration TTL = Duration.ofMinutes(1);

    private final LeakCheck leakCheck = LeakCheck.start();

    @AfterEach
    void leavesNothing() {
        leakCheck.assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void anotherCallerWaitsForTheLoad(Mode mode) {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                MemcachedConnectionFactory factory = MemcachedConnectionFactory.builder()
                        .mode(mode)
                        .servers(server.host() + ':' + server.port())
                        .requestTimeout(TTL)
                        .connectTimeout(TTL)
                        .build()) {
            AsyncMemcachedClient<String> client = new MemcachedTemplate<>(factory, Transcoder.utf8()).async();
            CompletableFuture<Void> called = new CompletableFuture<>();
            CompletableFuture<String> value = new CompletableFuture<>();
            CompletableFuture<String> first = client.getOrLoad("k", TTL, key -> {
                called.complete(null);
                return value;
            });
            called.join();
            CompletableFuture<String> second =
                    client.getOrLoad("k", TTL, key -> CompletableFuture.completedFuture("loaded twice"));
            value.complete("loaded");
            assertThat(first).succeedsWithin(TTL).isEqualTo("loaded");
            assertThat(second).succeedsWithin(TTL).isEqualTo("loaded");
        }
    }
}
