// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import io.memshard.spring.boot.MemcachedAutoConfiguration;
import io.memshard.spring.boot.MemcachedConnectionDetails;
import io.memshard.testkit.EmbeddedMemcached;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Memcached inside the JVM of a test with {@code embedded = true}, with the lifetime of the test's context. */
@AutoConfiguration(before = MemcachedAutoConfiguration.class)
@ConditionalOnClass(EmbeddedMemcached.class)
@ConditionalOnBooleanProperty("memcached.test.embedded")
@ConditionalOnMissingBean(MemcachedConnectionDetails.class)
public final class EmbeddedMemcachedAutoConfiguration {

    /** Name of the server's bean. A constant, so that reading it does not load this class. */
    static final String SERVER = "io.memshard.spring.boot.test.embeddedMemcached";

    @Bean(SERVER)
    EmbeddedMemcached embeddedMemcached() {
        return EmbeddedMemcached.start();
    }

    @Bean
    MemcachedConnectionDetails embeddedMemcachedConnectionDetails(EmbeddedMemcached server) {
        return () -> List.of(server.host() + ':' + server.port());
    }
}
