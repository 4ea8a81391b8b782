// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.cache;

import io.memshard.spring.cache.MemcachedCacheManager;

/**
 * Callback that changes the settings of the cache manager after the properties were applied. Beans of this type are
 * called in the order of {@code @Order}.
 *
 * <p>Threading: called while beans are created.
 */
@FunctionalInterface
public interface MemcachedCacheManagerCustomizer {

    /** Changes the settings. */
    void customize(MemcachedCacheManager.Builder builder);
}
