// SPDX-License-Identifier: Apache-2.0
/**
 * Get or load: one of the callers of all processes loads a missing value.
 *
 * <p>Layer: above {@code connection} and {@code transcoder}, below {@code io.memshard.client}. Start reading at
 * {@link io.memshard.client.load.LoadOptions}.
 */
@NullMarked
package io.memshard.client.load;

import org.jspecify.annotations.NullMarked;
