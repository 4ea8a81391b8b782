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
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;

/** A test that selects classes of the application has the beans of memcached, and a server of its own. */
@SpringBootTest(
        classes = EmbeddedSliceTest.Caching.class,
        webEnvironment = WebEnvironment.NONE,
        properties = {"memcached.key-prefix=slice:", "memcached.request-timeout=30s", "memcached.connect-timeout=30s"})
@AutoConfigureMemcached(embedded = true)
@DirtiesContext // So that no other test sees its threads.
class EmbeddedSliceTest {

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caching {}

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
        assertThat(context.getBean(Memshard.class).unwrap(Cluster.class).options().keyPrefix)
                .isEqualTo("slice:");
    }

    @Test
    void theContextHasCaches() {
        assertThat(context.getBeansOfType(MemcachedCacheManager.class)).hasSize(1);
    }
}
