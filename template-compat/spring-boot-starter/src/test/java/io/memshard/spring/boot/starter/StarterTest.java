// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.ClassUtils;

/** An application that has nothing but the starter on its class path. */
class StarterTest {

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
    void theStarterBringsNoOptionalLibrary(String type) {
        assertThat(ClassUtils.isPresent(type, StarterTest.class.getClassLoader()))
                .isFalse();
    }
}
