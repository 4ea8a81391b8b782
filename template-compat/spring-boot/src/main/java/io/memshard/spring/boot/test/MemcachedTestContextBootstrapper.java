// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.SpringBootTestContextBootstrapper;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Bootstrapper of the contexts of {@link MemcachedTest}. Called by Spring. */
final class MemcachedTestContextBootstrapper extends SpringBootTestContextBootstrapper {

    @Override
    protected String @Nullable [] getProperties(Class<?> testClass) {
        MemcachedTest test = TestContextAnnotationUtils.findMergedAnnotation(testClass, MemcachedTest.class);
        return test == null ? null : test.properties();
    }
}
