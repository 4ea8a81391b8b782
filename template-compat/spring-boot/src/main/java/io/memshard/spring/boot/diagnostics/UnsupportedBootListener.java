// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.diagnostics;

import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

/**
 * Listener that ends the start of an application on Spring Boot before 3.5. Otherwise the start would fail later, with
 * a {@code NoClassDefFoundError}. The class refers only to types that Spring Boot 2.7 also has.
 */
final class UnsupportedBootListener implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

    private static final String SINCE_3_5 =
            "org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty";

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        check(event.getSpringApplication().getClassLoader());
    }

    static final class UnsupportedBootException extends IllegalStateException {

        private static final long serialVersionUID = 1;

        UnsupportedBootException(String message) {
            super(message);
        }
    }

    static void check(ClassLoader loader) {
        if (!ClassUtils.isPresent(SINCE_3_5, loader)) {
            throw new UnsupportedBootException(
                    "memshard-spring-boot is for Spring Boot 3.5 and 4, but this is " + SpringBootVersion.getVersion());
        }
    }

    @Override
    public int getOrder() {
        return LoggingApplicationListener.DEFAULT_ORDER + 1;
    }
}
