// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.metrics;

import io.memshard.spring.cache.MemcachedCache;
import io.memshard.spring.cache.MemcachedCacheStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

final class MemcachedCacheMetrics extends CacheMeterBinder<MemcachedCache> {

    private final MemcachedCache cache;

    MemcachedCacheMetrics(MemcachedCache cache, Iterable<Tag> tags) {
        super(cache, cache.getName(), tags);
        this.cache = cache;
    }

    /** Returns null, because memcached does not count items per cache. */
    @Override
    protected @Nullable Long size() {
        return null;
    }

    @Override
    protected long hitCount() {
        return cache.getStatistics().hits();
    }

    @Override
    protected Long missCount() {
        return cache.getStatistics().misses();
    }

    /** Returns null, because memcached does not count evictions per cache. */
    @Override
    protected @Nullable Long evictionCount() {
        return null;
    }

    @Override
    protected long putCount() {
        return cache.getStatistics().puts();
    }

    @Override
    protected void bindImplementationSpecificMetrics(MeterRegistry registry) {
        register(registry, "cache.removals", "Cache removals", MemcachedCacheStatistics::removals);
        String lost = "Cache calls that were lost to failures of memcached";
        register(registry, "cache.lost.lookups", lost, MemcachedCacheStatistics::lostLookups);
        register(registry, "cache.lost.writes", lost, MemcachedCacheStatistics::lostWrites);
    }

    private void register(
            MeterRegistry registry, String name, String description, ToLongFunction<MemcachedCacheStatistics> count) {
        FunctionCounter.builder(name, cache, each -> count.applyAsLong(each.getStatistics()))
                .tags(getTagsWithCacheName())
                .description(description)
                .register(registry);
    }
}
