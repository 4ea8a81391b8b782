// SPDX-License-Identifier: Apache-2.0
/**
 * Metrics and observations for Micrometer, whose modules are optional dependencies.
 *
 * <p>Layer: above {@code connection}; no other package uses it.
 */
@NullMarked
package io.memshard.client.metrics;

import org.jspecify.annotations.NullMarked;
