// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Listener that translates the properties of sixhours' {@code memcached-spring-boot-starter}. It adds the results with
 * the lowest precedence, and logs a warning for each.
 *
 * <p>Spring Boot calls the listener after reading the application's properties. An {@code EnvironmentPostProcessor}
 * would do the same, but its package moved in Spring Boot 4.0.
 */
final class FormerNamesListener implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

    private static final String NAME = "memcached.cache of memcached-spring-boot-starter";

    private static final Log LOG = LogFactory.getLog(FormerNamesListener.class);

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        translate(event.getEnvironment());
    }

    static void translate(ConfigurableEnvironment environment) {
        FormerNames former = FormerNames.of(environment);
        former.warnings().forEach(LOG::warn);
        if (!former.values().isEmpty()) {
            environment.getPropertySources().addLast(new MapPropertySource(NAME, former.values()));
        }
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}
