// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.spring;

import io.memshard.bench.serializer.SampleOrder;
import org.springframework.cache.annotation.Cacheable;

/**
 * The method behind the cache. Once the cache is filled it fails, because then each call must be a hit.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Memory effects: {@code filled} is volatile, written by {@link #fillingToFilled} and read by each call.
 */
final class FilledOnce implements Catalogue {

    private static final SampleOrder SAMPLE = SampleOrder.of(3);

    private volatile boolean filled;

    /** An order that differs from others by its number. */
    @Override
    @Cacheable(cacheNames = SpringCache.CACHE)
    public SampleOrder order(long id) {
        if (filled) {
            throw new IllegalStateException("order " + id + " is not in the cache");
        }
        return new SampleOrder(
                id, SAMPLE.customer(), SAMPLE.created(), SAMPLE.paid(), SAMPLE.lines(), SAMPLE.attributes());
    }

    /** Makes each further miss a failure. */
    void fillingToFilled() {
        filled = true;
    }
}
