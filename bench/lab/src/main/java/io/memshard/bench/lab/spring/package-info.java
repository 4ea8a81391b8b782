// SPDX-License-Identifier: Apache-2.0
/**
 * The experiment {@code spring-cache}: hits of {@code @Cacheable} over memcached and Redis.
 *
 * <p>Layer: an experiment of the lab. Start reading at {@link io.memshard.bench.lab.spring.SpringCache}.
 */
@NullMarked
package io.memshard.bench.lab.spring;

import org.jspecify.annotations.NullMarked;
