// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.Memshard;
import io.memshard.sharding.cluster.Cluster;
import io.memshard.sharding.ring.Ring;
import io.memshard.spring.cache.MemcachedCacheManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.support.NoOpCache;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import tools.jackson.databind.json.JsonMapper;

/** An application of memcached-spring-boot-starter of sixhours starts with its own properties. */
class FormerNamesTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCaching
    static class Application {}

    private static FormerNames translated(Map<String, Object> properties) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
        return FormerNames.of(environment);
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void anApplicationStartsWithOnlyTheDependencyChanged(CapturedOutput output) {
        String[] properties = {
            "--memcached.cache.servers=one.example.com:12345,two.example.com:12346",
            "--memcached.cache.provider=static",
            "--memcached.cache.expiration=86400",
            "--memcached.cache.expiration-per-cache.books=1h",
            "--memcached.cache.expirationPerCache.authors=30",
            "--memcached.cache.expiration-per-cache.books.old=30",
            "--memcached.cache.prefix=shop",
            "--memcached.cache.protocol=text",
            "--memcached.cache.operation-timeout=2500",
            "--memcached.cache.hash-strategy=ketama",
            "--memcached.cache.metrics-cache-names=books",
            "--memcached.cache.disabled-cache-names=authors"
        };
        try (ConfigurableApplicationContext context = application().run(properties)) {
            Memshard memshard = context.getBean(Memshard.class);
            assertThat(memshard.unwrap(Cluster.class).options().shownServers())
                    .isEqualTo("one.example.com:12345, two.example.com:12346");
            assertThat(memshard.unwrap(Cluster.class).options().requestTimeout())
                    .isEqualTo(Duration.ofMillis(2500));
            assertThat(memshard.unwrap(Cluster.class).options().ring()).isSameAs(Ring.named("libmemcached-ketama"));
            MemcachedCacheManager manager = (MemcachedCacheManager) context.getBean(CacheManager.class);
            assertThat(manager.getCacheConfigurations()
                            .get("books")
                            .ttlFunction()
                            .getTimeToLive("k", "v"))
                    .isEqualTo(Duration.ofHours(1));
            assertThat(manager.getCacheConfigurations().get("books").keyPrefix().apply("books"))
                    .isEqualTo("shop:books::");
            assertThat(manager.getCache("authors")).isInstanceOf(NoOpCache.class);
            assertThat(output)
                    .contains("memcached.cache.servers is a property of another starter: use memcached.servers=")
                    .contains("memcached.cache.expiration-per-cache.books")
                    .contains("use memcached.cache.caches[books.old].time-to-live=30000ms")
                    .contains("memcached.cache.protocol has no effect here");
        }
    }

    private static SpringApplication application() {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        return application;
    }

    @Test
    void currentNamesTakePrecedence() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "test", Map.of("memcached.cache.servers", "old:1", "memcached.servers", "new:1")));

        FormerNamesListener.translate(environment);

        assertThat(environment.getProperty("memcached.servers")).isEqualTo("new:1");
    }

    @Test
    void awsIsAConfigurationEndpoint() {
        assertThat(translated(Map.of(
                                "memcached.cache.provider", "aws",
                                "memcached.cache.servers", "cfg.example.com:11211",
                                "memcached.cache.servers-refresh-interval", "30000",
                                "memcached.cache.authentication.username", "ada",
                                "memcached.cache.authentication.password", "secret",
                                "memcached.cache.authentication.mechanism", "plain"))
                        .values())
                .isEqualTo(Map.of(
                        "memcached.discovery.type", "configuration-endpoint",
                        "memcached.discovery.endpoint", "cfg.example.com:11211",
                        "memcached.discovery.period", "30000",
                        "memcached.username", "ada",
                        "memcached.password", "secret"));
    }

    @Test
    void aPasswordIsNotLogged() {
        assertThat(translated(Map.of("memcached.cache.authentication.password", "secret"))
                        .warnings())
                .first()
                .asString()
                .contains("memcached.password")
                .doesNotContain("secret");
    }

    @Test
    void currentNamesAreLeftAlone() {
        assertThat(translated(Map.of("memcached.cache.time-to-live", "5m", "memcached.servers", "a"))
                        .warnings())
                .isEmpty();
    }

    @Test
    void unsupportedValuesAreRefusedOrReported() {
        assertThatThrownBy(() -> translated(Map.of("memcached.cache.provider", "appengine")))
                .hasMessageContaining("memcached.cache.provider is \"appengine\"");
        for (String strategy : List.of("php", "election", "roundrobin", "random")) {
            assertThat(translated(Map.of("memcached.cache.hash-strategy", strategy))
                            .warnings()
                            .toString())
                    .contains("memcached.cache.hash-strategy has no effect here");
        }
    }

    /** Each former name that the metadata marks as deprecated is translated, and its replacement is named. */
    @Test
    void theMetadataNamesEachReplacementOfTheTranslation() throws IOException {
        Map<String, String> replacements = new LinkedHashMap<>();
        JsonMapper.shared()
                .readTree(Files.readString(Path.of("target/classes/META-INF/spring-configuration-metadata.json")))
                .get("properties")
                .forEach(property -> {
                    if (property.has("deprecation")) {
                        replacements.put(
                                property.get("name").asString(),
                                property.path("deprecation").path("replacement").asString(""));
                    }
                });
        assertThat(replacements).hasSize(14);
        replacements.forEach((former, replacement) -> {
            String key = former.endsWith("per-cache") ? former + ".books" : former;
            String value = former.endsWith("provider")
                    ? "aws"
                    : former.endsWith("strategy") ? "ketama" : former.endsWith("time") ? "5s" : "7";
            Map<String, Object> properties = new LinkedHashMap<>(Map.of(key, value));
            if (former.endsWith("refresh-interval")) {
                properties.put("memcached.cache.provider", "aws");
            }
            FormerNames names = translated(properties);
            assertThat(names.warnings()).as(former).isNotEmpty();
            assertThat(Stream.concat(names.values().keySet().stream(), Stream.of("")))
                    .as(former)
                    .anyMatch(name -> replacement.isEmpty() ? name.isEmpty() : name.startsWith(replacement));
        });
    }
}
