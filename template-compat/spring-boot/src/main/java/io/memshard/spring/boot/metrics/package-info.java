// SPDX-License-Identifier: Apache-2.0
/**
 * Micrometer meters of clients and caches, and observations of clients.
 *
 * <p>Start reading at {@link io.memshard.spring.boot.metrics.MemcachedMetricsAutoConfiguration}.
 */
@NullMarked
package io.memshard.spring.boot.metrics;

import org.jspecify.annotations.NullMarked;
