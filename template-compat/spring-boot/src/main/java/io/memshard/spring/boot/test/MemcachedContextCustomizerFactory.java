// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.AotDetector;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Factory that turns the attributes of {@link AutoConfigureMemcached} and {@link MemcachedTest} into a property and a
 * filter. Spring Boot has annotations for such a property and filter, but their packages moved in 4.0.
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
        MemcachedTest slice = TestContextAnnotationUtils.findMergedAnnotation(testClass, MemcachedTest.class);
        if (memcached == null) {
            return null;
        }
        if (memcached.embedded() && !ClassUtils.isPresent(TESTKIT, testClass.getClassLoader())) {
            throw new IllegalStateException(
                    testClass.getName() + " has embedded = true: add memshard-testkit in scope test");
        }
        return new Customizer(memcached.embedded(), slice);
    }

    /** Customizer of a context, and part of the key under which Spring caches the context. */
    private record Customizer(boolean embedded, @Nullable MemcachedTest slice) implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
            TestPropertyValues.of("memcached.test.embedded=" + embedded).applyTo(context);
            // A context generated ahead of time scans for no beans.
            if (slice != null && !AotDetector.useGeneratedArtifacts()) {
                context.getBeanFactory()
                        .registerSingleton(
                                MemcachedTypeExcludeFilter.class.getName(),
                                new MemcachedTypeExcludeFilter(slice, context));
            }
        }
    }
}
