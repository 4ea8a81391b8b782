// SPDX-License-Identifier: Apache-2.0
/**
 * Spring caches from the properties below {@code memcached.cache}.
 *
 * <p>Start reading at {@link io.memshard.spring.boot.cache.MemcachedCacheAutoConfiguration}.
 */
@NullMarked
package io.memshard.spring.boot.cache;

import org.jspecify.annotations.NullMarked;
