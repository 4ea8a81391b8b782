// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.cache;

import io.memshard.spring.cache.MemcachedCache;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;
import org.jspecify.annotations.Nullable;

/** Meters of a cache. Threading: thread-safe. */
final class MemcachedCacheMetrics extends CacheMeterBinder<MemcachedCache> {

    private final MemcachedCache cache;

    MemcachedCacheMetrics(MemcachedCache cache, Iterable<Tag> tags) {
        super(cache, cache.getName(), tags);
        this.cache = cache;
    }

    /** Returns null: memcached counts items, but not per cache. */
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

    /** Returns null: memcached counts evictions, but not per cache. */
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
        FunctionCounter.builder(
                        "cache.removals", cache, each -> each.getStatistics().removals())
                .tags(getTagsWithCacheName())
                .description("Cache removals")
                .register(registry);
    }
}
