// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.TypeFilterUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.core.type.filter.TypeFilter;

/** Filter that leaves the application's own beans out of a {@link MemcachedTest}. Called by Spring. */
final class MemcachedTypeExcludeFilter extends TypeExcludeFilter {

    private final MemcachedTest slice;
    private final List<TypeFilter> included;
    private final List<TypeFilter> excluded;

    MemcachedTypeExcludeFilter(MemcachedTest slice, ConfigurableApplicationContext context) {
        this.slice = slice;
        included = typeFilters(slice.includeFilters(), context);
        excluded = typeFilters(slice.excludeFilters(), context);
    }

    private static List<TypeFilter> typeFilters(Filter[] filters, ConfigurableApplicationContext context) {
        return Stream.of(filters)
                .map(filter -> MergedAnnotation.from(filter).asAnnotationAttributes())
                .flatMap(filter -> TypeFilterUtils.createTypeFiltersFor(
                        filter, context.getEnvironment(), context, (BeanDefinitionRegistry) context.getBeanFactory())
                        .stream())
                .toList();
    }

    @Override
    public boolean match(MetadataReader reader, MetadataReaderFactory factory) throws IOException {
        boolean isIncluded = !slice.useDefaultFilters() || matchesAny(included, reader, factory);
        return !isIncluded || matchesAny(excluded, reader, factory);
    }

    private static boolean matchesAny(List<TypeFilter> filters, MetadataReader reader, MetadataReaderFactory factory)
            throws IOException {
        for (TypeFilter filter : filters) {
            if (filter.match(reader, factory)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MemcachedTypeExcludeFilter filter && slice.equals(filter.slice);
    }

    @Override
    public int hashCode() {
        return slice.hashCode();
    }
}
