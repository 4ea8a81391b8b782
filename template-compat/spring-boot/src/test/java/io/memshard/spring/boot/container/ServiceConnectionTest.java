// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.container;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactory;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Spring Boot finds what knows containers of memcached. */
class ServiceConnectionTest {

    @Test
    void bothFactoriesAreFound() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
                        .load(
                                ConnectionDetailsFactory.class,
                                SpringFactoriesLoader.ArgumentResolver.none(),
                                (type, name, failure) -> {}))
                .extracting(factory -> factory.getClass().getSimpleName())
                .contains(
                        "MemcachedContainerConnectionDetailsFactory", "MemcachedDockerComposeConnectionDetailsFactory");
    }
}
