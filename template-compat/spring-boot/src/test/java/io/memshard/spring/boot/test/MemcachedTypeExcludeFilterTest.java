// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.type.classreading.SimpleMetadataReaderFactory;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;

class MemcachedTypeExcludeFilterTest {

    @Component
    static class OneComponent {}

    @Service
    static class OneService {}

    @MemcachedTest
    static class Default {}

    @MemcachedTest(includeFilters = @Filter(Service.class))
    static class Including {}

    @MemcachedTest(useDefaultFilters = false)
    static class All {}

    @MemcachedTest(
            useDefaultFilters = false,
            excludeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = OneService.class))
    static class Excluding {}

    private static Stream<Class<?>> kept(Class<?> test) {
        MemcachedTypeExcludeFilter filter = new MemcachedTypeExcludeFilter(
                test.getAnnotation(MemcachedTest.class), new GenericApplicationContext());
        SimpleMetadataReaderFactory factory = new SimpleMetadataReaderFactory();
        return Stream.of(OneComponent.class, OneService.class).filter(type -> {
            try {
                return !filter.match(factory.getMetadataReader(type.getName()), factory);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void theAttributesChooseTheBeansOfTheApplication() {
        assertThat(kept(Default.class)).isEmpty();
        assertThat(kept(Including.class)).containsExactly(OneService.class);
        assertThat(kept(All.class)).containsExactly(OneComponent.class, OneService.class);
        assertThat(kept(Excluding.class)).containsExactly(OneComponent.class);
    }
}
