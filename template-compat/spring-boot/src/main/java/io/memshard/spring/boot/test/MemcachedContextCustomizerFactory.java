// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Factory that turns the attribute of {@link AutoConfigureMemcached} into a property. Spring Boot has an annotation for
 * such a property, but its package moved in 4.0.
 *
 * <p>Called by Spring for each test class.
 */
final class MemcachedContextCustomizerFactory implements ContextCustomizerFactory {

    private static final String TESTKIT = "io.memshard.testkit.EmbeddedMemcached";

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        AutoConfigureMemcached memcached =
                TestContextAnnotationUtils.findMergedAnnotation(testClass, AutoConfigureMemcached.class);
        if (memcached == null) {
            return null;
        }
        if (memcached.embedded() && !ClassUtils.isPresent(TESTKIT, testClass.getClassLoader())) {
            throw new IllegalStateException(
                    testClass.getName() + " has embedded = true: add memshard-testkit in scope test");
        }
        return new Customizer(memcached.embedded());
    }

    /** Customizer of a context, and part of the key under which Spring caches the context. */
    private record Customizer(boolean embedded) implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
            TestPropertyValues.of("memcached.test.embedded=" + embedded).applyTo(context);
        }
    }
}
