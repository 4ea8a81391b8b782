// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.transcoder.Transcoder;
import io.memshard.template.Engine;
import io.memshard.template.MemcachedConnectionFactory;
import io.memshard.template.MemcachedTemplate;
import io.memshard.template.Mode;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Template and factory as plain beans, in both call shapes of the article. */
@MemcachedTest
class SpringContextIT {

    record Settings(Engine engine, Mode mode, String servers) {}

    @Configuration(proxyBeanMethods = false)
    static class CacheConfiguration {

        @Bean
        MemcachedConnectionFactory memcachedConnectionFactory(Settings settings) {
            return MemcachedConnectionFactory.builder()
                    .engine(settings.engine)
                    .mode(settings.mode)
                    .servers(settings.servers)
                    .requestTimeout(Duration.ofSeconds(30))
                    .connectTimeout(Duration.ofSeconds(30))
                    .build();
        }

        @Bean
        MemcachedTemplate<String> memcachedTemplate(MemcachedConnectionFactory factory) {
            return new MemcachedTemplate<>(factory, Transcoder.utf8());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "MEMSHARD, SHARDED", "MEMSHARD, SINGLE", "MEMSHARD, POOLED",
        "SPYMEMCACHED, SHARDED", "SPYMEMCACHED, SINGLE", "SPYMEMCACHED, POOLED"
    })
    void bothCallShapesWorkAndTheContextClosesEverything(Engine engine, Mode mode, MemcachedServer server) {
        LeakCheck leakCheck = LeakCheck.start(engine == Engine.MEMSHARD ? "memshard" : "Memcached IO");
        Settings settings = new Settings(engine, mode, server.host() + ':' + server.port());
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(Settings.class, () -> settings);
            context.register(CacheConfiguration.class);
            context.refresh();

            @SuppressWarnings("unchecked")
            MemcachedTemplate<String> template = context.getBean(MemcachedTemplate.class);
            Transcoder<String> serializer = Transcoder.utf8();
            template.set("spring-context", "value", Duration.ofMinutes(1));

            // Template: borrow or choose, call, return.
            assertThat(template.get("spring-context")).isEqualTo("value");
            // Connection: keep one. In mode pooled it is borrowed for good, until the context closes.
            assertThat(template.getConnectionFactory().getConnection().get("spring-context", serializer))
                    .isEqualTo("value");
        }
        leakCheck.assertNothingLeft();
    }
}
