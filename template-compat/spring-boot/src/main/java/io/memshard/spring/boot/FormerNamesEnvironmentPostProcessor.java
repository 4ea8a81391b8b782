// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import org.apache.commons.logging.Log;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.DeferredLogFactory;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Post-processor that adds the translated properties of sixhours' starter, with the lowest precedence, and logs a
 * warning for each.
 *
 * <p>Spring Boot calls it after reading the application's properties.
 */
final class FormerNamesEnvironmentPostProcessor implements EnvironmentPostProcessor, Ordered {

    private static final String NAME = "memcached.cache of memcached-spring-boot-starter";

    private final Log log;

    FormerNamesEnvironmentPostProcessor(DeferredLogFactory logs) {
        log = logs.getLog(FormerNamesEnvironmentPostProcessor.class);
    }

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        FormerNames former = FormerNames.of(environment);
        former.warnings().forEach(log::warn);
        if (!former.values().isEmpty()) {
            environment.getPropertySources().addLast(new MapPropertySource(NAME, former.values()));
        }
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}
