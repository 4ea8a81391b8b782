// SPDX-License-Identifier: Apache-2.0
/**
 * Operations on many keys: multi-get, multi-set and multi-delete, cut into parts and gathered into one result.
 *
 * <p>Layer: above {@code connection} and {@code transcoder}, below {@code io.memshard.client}. Start reading at
 * {@link io.memshard.client.multi.MultiGetResult}.
 */
@NullMarked
package io.memshard.client.multi;

import org.jspecify.annotations.NullMarked;
