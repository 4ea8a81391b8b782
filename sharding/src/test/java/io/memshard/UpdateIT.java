// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.UpdateConflictException;
import io.memshard.client.options.Protocol;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes of one item by compare and set, by several writers at once. */
@Timeout(300)
class UpdateIT {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int THREADS = 4;
    private static final int UPDATES = 200;

    private static String more(String old) {
        return old == null ? "1" : String.valueOf(Integer.parseInt(old) + 1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"META", "CLASSIC"})
    void noChangeOfSeveralWritersIsLost(Protocol protocol) throws Exception {
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                Memshard memshard = Fleet.patient()
                        .servers(server.address())
                        .protocol(protocol)
                        .build()) {
            MemcachedClient<String> client = memshard.client(Transcoder.utf8());
            AsyncMemcachedClient<String> async = memshard.asyncClient(Transcoder.utf8());
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                writers.add(threads.submit(() -> {
                    for (int update = 0; update < UPDATES; update++) {
                        client.update("counter", HOUR, Integer.MAX_VALUE, UpdateIT::more);
                    }
                }));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
            threads.shutdown();
            assertThat(client.get("counter")).isEqualTo(String.valueOf(THREADS * UPDATES));

            assertThat(async.update("counter", HOUR, UpdateIT::more))
                    .succeedsWithin(LONG)
                    .isEqualTo(String.valueOf(THREADS * UPDATES + 1));
            CompletableFuture<String> unchanged = async.update("counter", HOUR, old -> null);
            assertThat(unchanged).succeedsWithin(LONG).isNull();
            assertThatExceptionOfType(UpdateConflictException.class)
                    .isThrownBy(() -> client.update("counter", HOUR, 3, old -> {
                        client.set("counter", "another's", HOUR);
                        return "mine";
                    }))
                    .withMessageContaining("3 tries: \"counter\"");
            assertThat(client.get("counter")).isEqualTo("another's");
        }
    }
}
