// SPDX-License-Identifier: Apache-2.0
/**
 * Results of operations on many keys: multi-get, multi-set and multi-delete.
 *
 * <p>Layer: part of the API. {@code io.memshard.client} uses this package, and {@code operation} creates the results.
 * Start reading at {@link io.memshard.client.multi.MultiGetResult}.
 */
@NullMarked
package io.memshard.client.multi;

import org.jspecify.annotations.NullMarked;
