// SPDX-License-Identifier: Apache-2.0
package io.memshard.compatibility.starter;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.spring.boot.test.AutoConfigureMemcached;
import io.memshard.spring.cache.MemcachedCacheManager;
import io.memshard.template.MemcachedTemplate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactory;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.stereotype.Service;

/** An application on the starter, with the Spring Boot that its own build chose. */
class StarterTest {

    /** Value of the cache and of the template of objects. */
    public record Page(String pageTitle, int views) {}

    @SpringBootApplication
    @EnableCaching
    static class Application {}

    /** Counts its loads. */
    @Service
    public static class Pages {

        private final AtomicInteger loads = new AtomicInteger();

        /** Returns a page by the number of the load. */
        @Cacheable(cacheNames = "pages", sync = true)
        public Page page(String title) {
            return new Page(title, loads.incrementAndGet());
        }
    }

    @Test
    void theVersionMatchesTheProject() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("expected.boot"));
    }

    /** Linked against the types of each Spring Boot; no container runs. */
    @Test
    void containersAreKnown() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
                        .load(
                                ConnectionDetailsFactory.class,
                                SpringFactoriesLoader.ArgumentResolver.none(),
                                (type, name, failure) -> {}))
                .extracting(factory -> factory.getClass().getSimpleName())
                .contains("MemcachedContainerConnectionDetailsFactory");
    }

    @Nested
    @AutoConfigureMemcached(embedded = true)
    @SpringBootTest(
            classes = {Application.class, Pages.class},
            webEnvironment = WebEnvironment.RANDOM_PORT,
            properties = {
                "memcached.request-timeout=30s", "memcached.connect-timeout=30s",
                "memcached.health.timeout=30s",
                "memcached.key-prefix=shop:",
                "memcached.serializer.json-type=io.memshard.compatibility.starter.StarterTest$Page",
                "memcached.cache.caches.pages.time-to-live=5m",
                "memcached.cache.caches.pages.serializer.json-type=io.memshard.compatibility.starter.StarterTest$Page",
                "spring.cache.cache-names=others",
                "spring.threads.virtual.enabled=true",
                "spring.jackson.property-naming-strategy=SNAKE_CASE",
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.health.show-details=always"
            })
    class Whole {

        private final HttpClient http = HttpClient.newHttpClient();

        @Value("${local.server.port}")
        private int port;

        @Autowired
        private Pages pages;

        @Autowired
        private MemcachedTemplate<Object> values;

        @Autowired
        private MemcachedTemplate<String> strings;

        @Autowired
        private MemcachedCacheManager caches;

        private String actuator(String path) throws IOException, InterruptedException {
            URI address = URI.create("http://localhost:" + port + "/actuator/" + path);
            return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
                    .body();
        }

        @Test
        void theTemplateStoresJsonOfTheApplicationsMapper() {
            Page page = new Page("template", 1);
            values.set("page", page, Duration.ofMinutes(1));
            assertThat(values.get("page")).isEqualTo(page);
            assertThat(strings.get("page")).isEqualTo("{\"page_title\":\"template\",\"views\":1}");
        }

        @Test
        void theCacheIsUsedAndCounted() throws IOException, InterruptedException {
            assertThat(pages.page("cache")).isEqualTo(pages.page("cache")).isEqualTo(new Page("cache", 1));
            assertThat(caches.getCacheNames()).contains("pages", "others");
            assertThat(actuator("metrics/cache.gets?tag=cache:pages&tag=result:hit"))
                    .contains("\"value\":1.0");
            assertThat(actuator("metrics/memshard.commands")).contains("\"COUNT\"");
        }

        @Test
        void theHealthHasTheServer() throws IOException, InterruptedException {
            assertThat(actuator("health/memcached")).contains("\"status\":\"UP\"", "\"up\":1,\"down\":0");
        }
    }
}
