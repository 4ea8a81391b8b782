// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.template.MemcachedTemplate;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

/** An application that has nothing but the starter on its class path. */
class StarterTest {

    /** Counts how often it was asked. */
    public static class Greetings {

        private final AtomicInteger loads = new AtomicInteger();

        /** A greeting. */
        @Cacheable("greetings")
        public String of(String name) {
            loads.incrementAndGet();
            return "hello " + name;
        }

        /** Returns the number of calls. */
        public int loads() {
            return loads.get();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCaching
    static class Application {

        @Bean
        Greetings greetings() {
            return new Greetings();
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void theStarterAloneIsEnough() {
        LeakCheck leaks = LeakCheck.start();
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                ConfigurableApplicationContext context = SpringApplication.run(
                        Application.class,
                        "--memcached.servers=" + server.host() + ':' + server.port(),
                        "--memcached.request-timeout=30s",
                        "--memcached.connect-timeout=30s")) {
            Greetings greetings = context.getBean(Greetings.class);
            assertThat(greetings.of("Ada")).isEqualTo(greetings.of("Ada")).isEqualTo("hello Ada");
            assertThat(greetings.loads()).isEqualTo(1);

            MemcachedTemplate<String> template = context.getBean("stringMemcachedTemplate", MemcachedTemplate.class);
            template.set("key", "value", Duration.ofMinutes(1));
            assertThat(template.get("key")).isEqualTo("value");
        }
        leaks.assertNothingLeft();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.springframework.boot.health.contributor.HealthIndicator",
                "io.micrometer.core.instrument.MeterRegistry",
                "org.testcontainers.containers.GenericContainer",
                "tools.jackson.databind.json.JsonMapper",
                "net.spy.memcached.MemcachedClient",
                "org.apache.commons.pool2.ObjectPool"
            })
    void theStarterDoesNotBringWhatIsOptional(String type) {
        assertThat(ClassUtils.isPresent(type, StarterTest.class.getClassLoader()))
                .isFalse();
    }
}
