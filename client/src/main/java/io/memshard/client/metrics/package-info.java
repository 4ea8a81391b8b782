/**
 * Metrics for Micrometer, an optional dependency.
 *
 * <p>Layer: above {@code connection}; nothing else uses it.
 */
@NullMarked
package io.memshard.client.metrics;

import org.jspecify.annotations.NullMarked;
