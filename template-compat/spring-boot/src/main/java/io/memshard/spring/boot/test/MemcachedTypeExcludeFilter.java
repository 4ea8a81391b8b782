// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/** Filter that leaves the application's own beans out of a {@link MemcachedTest}. Called by Spring. */
final class MemcachedTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<MemcachedTest> {

    MemcachedTypeExcludeFilter(Class<?> testClass) {
        super(testClass);
    }
}
