// SPDX-License-Identifier: Apache-2.0
/**
 * Loading missing values: the plan of one call, and callers that follow it, blocking, asynchronous and for many keys.
 *
 * <p>Layer: above {@code sender}, {@code load}, {@code operation.meta} and {@code operation.multi}. Start reading
 * at {@link io.memshard.client.operation.load.LoadPlan}.
 */
@NullMarked
package io.memshard.client.operation.load;

import org.jspecify.annotations.NullMarked;
