// SPDX-License-Identifier: Apache-2.0
/**
 * Results of operations on many keys: multi-get, multi-set and multi-delete.
 *
 * <p>Layer: part of the API, below {@code io.memshard.client}; implemented in {@code operation}. Start reading at
 * {@link io.memshard.client.multi.MultiGetResult}.
 */
@NullMarked
package io.memshard.client.multi;

import org.jspecify.annotations.NullMarked;
