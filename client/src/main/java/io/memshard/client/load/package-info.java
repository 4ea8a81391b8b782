// SPDX-License-Identifier: Apache-2.0
/**
 * Options and loaders of {@code getOrLoad}: one caller among all processes loads a missing value.
 *
 * <p>Layer: part of the API, below {@code io.memshard.client}; implemented in {@code operation}. Start reading at
 * {@link io.memshard.client.load.LoadOptions}.
 */
@NullMarked
package io.memshard.client.load;

import org.jspecify.annotations.NullMarked;
