// SPDX-License-Identifier: Apache-2.0
/**
 * Spring's cache abstraction over Memshard.
 *
 * <p>Layer: above the sharding module. Start reading at {@link io.memshard.spring.cache.MemcachedCacheManager}, then
 * {@link io.memshard.spring.cache.MemcachedCache}.
 */
@NullMarked
package io.memshard.spring.cache;

import org.jspecify.annotations.NullMarked;
