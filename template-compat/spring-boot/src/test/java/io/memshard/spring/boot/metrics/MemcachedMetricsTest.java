// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.client.MemcachedClient;
import io.memshard.spring.boot.MemcachedAutoConfiguration;
import io.memshard.spring.boot.SharedServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class MemcachedMetricsTest {

    private static final ApplicationContextRunner RUNNER = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    MetricsAutoConfiguration.class,
                    CompositeMeterRegistryAutoConfiguration.class,
                    SimpleMetricsExportAutoConfiguration.class,
                    MemcachedMetricsAutoConfiguration.class,
                    MemcachedAutoConfiguration.class))
            .withPropertyValues(
                    "memcached.servers=" + SharedServer.ADDRESS,
                    "memcached.request-timeout=30s",
                    "memcached.connect-timeout=30s");

    @Test
    void commandsAreCountedUnderTheNameOfTheClient() {
        RUNNER.run(context -> {
            MemcachedClient<byte[]> client = context.getBean(Memshard.class).client();
            client.get("nothing");

            assertThat(context.getBean(MeterRegistry.class)
                            .get("memshard.gets")
                            .tags("pool", "memcached", "result", "miss")
                            .counter()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void callsAreObservedIfEnabled() {
        List<String> observed = new ArrayList<>();
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public void onStop(Observation.Context context) {
                observed.add(context.getName());
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        ApplicationContextRunner runner = RUNNER.withBean(ObservationRegistry.class, () -> registry);

        runner.run(context -> context.getBean(Memshard.class).client().get("nothing"));
        assertThat(observed).isEmpty();

        runner.withPropertyValues("memcached.observation.enabled=true")
                .run(context -> context.getBean(Memshard.class).client().get("nothing"));
        assertThat(observed).containsExactly("db.client.operation.duration");
    }
}
