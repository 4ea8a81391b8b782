// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.Memshard;
import io.memshard.client.transcoder.CompatibleTranscoder;
import io.memshard.client.transcoder.JavaSerialization;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.spring.boot.test.AutoConfigureMemcached;
import io.memshard.spring.cache.MemcachedCacheManager;
import io.memshard.template.MemcachedConnectionFactory;
import io.memshard.template.MemcachedTemplate;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

/** The code of docs/spring-boot.md and of the beans of docs/migrating, so that the compiler reads it. */
final class BootExamples {

    private BootExamples() {}

    static final class Customizing {

        @Bean
        MemcachedCustomizer shorterTimeout() {
            return (client, settings) -> settings.requestTimeout(Duration.ofMillis(200));
        }
    }

    static final class Values {

        @Bean
        Transcoder<Object> memcachedTranscoder() {
            return CompatibleTranscoder.spymemcached()
                    .javaSerialization(JavaSerialization.allowing("com.example.**")
                            .andJdkData()
                            .limits(20, 20_000));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Sessions {

        @Bean(defaultCandidate = false)
        @Qualifier("sessions")
        Memshard sessions(MemcachedClients clients) {
            return clients.memshard("memcached-sessions");
        }

        @Bean(defaultCandidate = false)
        @Qualifier("sessions")
        MemcachedTemplate<String> sessionsTemplate(@Qualifier("sessions") Memshard sessions) {
            return new MemcachedTemplate<>(MemcachedConnectionFactory.over(sessions), Transcoder.utf8());
        }
    }

    @Component
    static class Logins {

        private final MemcachedTemplate<String> sessions;

        Logins(@Qualifier("sessions") MemcachedTemplate<String> sessions) {
            this.sessions = sessions;
        }

        String of(String user) {
            return sessions.get(user);
        }
    }

    static final class Testing {

        static final class Whole {

            // spotless:off
            @SpringBootTest
            @AutoConfigureMemcached(embedded = true)
            class ShopTest {

                @Autowired
                Catalogue catalogue;

                @Test
                void aProductIsLoadedOnce() {
                    Product product = catalogue.product("1");
                    assert product.equals(catalogue.product("1"));
                }
            }
            // spotless:on
        }

        static final class Containers {

            // spotless:off
            @Testcontainers
            @SpringBootTest
            class ContainerTest {

                @Container
                @ServiceConnection
                static final GenericContainer<?> memcached =
                        new GenericContainer<>("memcached:1.6").withExposedPorts(11211);
            }
            // spotless:on
        }
    }

    @SpringBootApplication
    @EnableCaching
    static class Shop {

        public static void main(String[] args) {
            SpringApplication.run(Shop.class, args);
        }
    }

    record Product(String id, String name) {}

    @Component
    static class Catalogue {

        @Cacheable(cacheNames = "products", sync = true)
        public Product product(String id) {
            return new Product(id, "Product " + id);
        }
    }

    static final class OwnManager {

        @Bean
        MemcachedCacheManager cacheManager(Memshard memshard) {
            return MemcachedCacheManager.create(memshard);
        }
    }
}
