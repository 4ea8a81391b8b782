// SPDX-License-Identifier: Apache-2.0
/**
 * Meters and observations of clients, by Micrometer.
 *
 * <p>Start reading at {@link io.memshard.spring.boot.metrics.MemcachedMetricsAutoConfiguration}.
 */
@NullMarked
package io.memshard.spring.boot.metrics;

import org.jspecify.annotations.NullMarked;
