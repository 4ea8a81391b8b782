// SPDX-License-Identifier: Apache-2.0
/**
 * Operations on many keys, cut into parts for each server and gathered into one result under one deadline.
 *
 * <p>Layer: above {@code sender}, {@code multi} and {@code operation.call}. Start reading at {@link
 * io.memshard.client.operation.multi.MultiProgress}.
 */
@NullMarked
package io.memshard.client.operation.multi;

import org.jspecify.annotations.NullMarked;
