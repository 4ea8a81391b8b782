// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.sharding.cluster.Cluster;
import io.memshard.spring.cache.MemcachedCacheManager;
import io.memshard.template.MemcachedTemplate;
import java.time.Duration;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ApplicationContext;
import org.springframework.stereotype.Component;
import org.springframework.test.annotation.DirtiesContext;

/** The slice has the beans of memcached, and of the application's own none. */
@MemcachedTest(
        embedded = true,
        properties = {"memcached.key-prefix=slice:", "memcached.request-timeout=30s", "memcached.connect-timeout=30s"})
@DirtiesContext // So that no other test sees its threads.
class EmbeddedSliceTest {

    @SpringBootApplication
    @EnableCaching
    static class Application {}

    @Component
    static class OfTheApplication {}

    @Autowired
    private MemcachedTemplate<String> template;

    @Autowired
    private ApplicationContext context;

    @RepeatedTest(2)
    void eachTestFindsTheServerEmpty() {
        assertThat(template.setIfAbsent("once", "value", Duration.ofMinutes(1))).isTrue();
    }

    @Test
    void theTemplateStoresInAServerInsideTheJvm() {
        template.set("key", "value", Duration.ofMinutes(1));

        assertThat(template.get("key")).isEqualTo("value");
        assertThat(context.getBean(Memshard.class)
                        .unwrap(Cluster.class)
                        .options()
                        .keyPrefix())
                .isEqualTo("slice:");
    }

    @Test
    void theContextHasCachesAndNoneOfTheApplicationsBeans() {
        assertThat(context.getBeansOfType(MemcachedCacheManager.class)).hasSize(1);
        assertThat(context.getBeansOfType(OfTheApplication.class)).isEmpty();
    }
}
