// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.Memshard;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.metrics.ObservationListener;
import io.memshard.testkit.EmbeddedMemcached;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.cache.Cache;

/** A cache over a client that hides keys shows none in an observation, in whatever way a load fails. */
@Timeout(120)
class HiddenKeysIT implements ObservationHandler<Observation.Context> {

    private static final String KEY = "user:4711";

    private final List<Throwable> observed = new CopyOnWriteArrayList<>();
    private final EmbeddedMemcached server = EmbeddedMemcached.start();
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final Memshard memshard = Memshard.builder()
            .servers(server.host() + ":" + server.port())
            .requestTimeout(Duration.ofSeconds(20))
            .hideKeys(true)
            .listener(new ObservationListener(registry, "sessions").showingKeys())
            .build();
    private final Cache cache = Objects.requireNonNull(MemcachedCacheManager.builder(memshard)
            .cacheDefaults(MemcachedCacheConfiguration.defaultCacheConfig().disableCachingNullValues())
            .build()
            .getCache("users"));

    HiddenKeysIT() {
        registry.observationConfig().observationHandler(this);
    }

    @Override
    public void onStop(Observation.Context context) {
        Stream.ofNullable(context.getError()).forEach(observed::add);
        assertThat(context.getHighCardinalityKeyValues().toString()).doesNotContain(KEY);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return true;
    }

    @AfterEach
    void close() {
        memshard.close();
        server.close();
    }

    private static String printed(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }

    @Test
    void failedLoadsShowNoKeyInObservations() {
        List<Callable<Object>> failing = List.of(
                () -> {
                    throw new IOException("no database");
                },
                () -> {
                    throw new IllegalStateException("no database");
                },
                () -> {
                    throw new MemcachedServerException("of a cache behind this one", null, null);
                },
                () -> {
                    throw new AssertionError("no database");
                },
                () -> null,
                Thread::new);
        for (Callable<Object> loader : failing) {
            assertThatThrownBy(() -> cache.get(KEY, loader))
                    .isInstanceOf(Cache.ValueRetrievalException.class)
                    .hasMessageContaining(KEY);
        }

        assertThat(observed)
                .hasSize(failing.size())
                .noneMatch(error -> printed(error).contains(KEY));
        assertThat(cache.<Object>get(KEY, () -> "value")).isEqualTo("value");
    }
}
