/**
 * Metrics for Micrometer, an optional dependency.
 *
 * <p>Layer: above {@code connection}; nothing here is used by the rest.
 */
@NullMarked
package io.memshard.client.metrics;

import org.jspecify.annotations.NullMarked;
