// SPDX-License-Identifier: Apache-2.0
/**
 * Metrics and observations for Micrometer, whose modules are optional dependencies.
 *
 * <p>Layer: above {@code listener}; no other package of this module uses {@code metrics}.
 */
@NullMarked
package io.memshard.client.metrics;

import org.jspecify.annotations.NullMarked;
