// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.template.MemcachedTemplate;
import io.memshard.testkit.Eventually;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A whole application against a real server. */
@MemcachedTest
class ApplicationIT {

    /** Cached value. */
    public record Product(String id, String name) {}

    /** Slow without a cache. */
    public static class Catalogue {

        private final AtomicInteger loads = new AtomicInteger();

        /** A product. */
        @Cacheable(cacheNames = "products", sync = true)
        public Product product(String id) {
            loads.incrementAndGet();
            return new Product(id, "Name of " + id);
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
        Catalogue catalogue() {
            return new Catalogue();
        }
    }

    private static ConfigurableApplicationContext start(MemcachedServer server, String... more) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setDefaultProperties(Map.of(
                "memcached.request-timeout",
                "30s",
                "memcached.connect-timeout",
                "30s",
                "memcached.health.timeout",
                "30s",
                "memcached.servers",
                server.host() + ':' + server.port(),
                "memcached.cache.caches.products.serializer.json-type",
                Product.class.getName(),
                "memcached.cache.caches.products.time-to-live",
                "5m"));
        return application.run(more);
    }

    private static Health health(ConfigurableApplicationContext context) {
        return ((HealthIndicator) context.getBean("memcachedHealthContributor")).health();
    }

    @Test
    void anApplicationStartsCachesAndLeavesNothing(MemcachedServer server) {
        LeakCheck leaks = LeakCheck.start();
        try (ConfigurableApplicationContext context = start(server, "--memcached.await-ready=30s")) {
            Catalogue catalogue = context.getBean(Catalogue.class);
            assertThat(catalogue.product("1")).isEqualTo(catalogue.product("1"));
            assertThat(catalogue.loads()).isEqualTo(1);
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            assertThat(context.getBean(Memshard.class).client().get("products::1"))
                    .as("entries are behind a generation")
                    .isNull();
        }
        leaks.assertNothingLeft();
    }

    @NeedsProgram(Program.MEMCACHED)
    @Test
    @SuppressWarnings("unchecked")
    void theApplicationServesWhileItsServerIsDead() {
        try (MemcachedProcess server = MemcachedProcess.start();
                ConfigurableApplicationContext context = start(server)) {
            Catalogue catalogue = context.getBean(Catalogue.class);
            catalogue.product("1");

            server.kill();
            assertThat(catalogue.product("1").name()).isEqualTo("Name of 1");
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            assertThat(health(context).getDetails()).containsEntry("down", 1);
            assertThat(health(context).getDetails().get("servers"))
                    .asString()
                    .contains(server.host() + ':' + server.port(), "reason=");

            server.restart();
            Eventually.eventually(
                    "the server is back",
                    () -> health(context).getDetails().get("down").equals(0));
            MemcachedTemplate<String> template = context.getBean("stringMemcachedTemplate", MemcachedTemplate.class);
            template.set("back", "yes", Duration.ofMinutes(1));
            assertThat(template.get("back")).isEqualTo("yes");
        }
    }
}
