// SPDX-License-Identifier: Apache-2.0
/**
 * Calls of clients as a whole: the sender of their commands, the policy for their failures, and their observer.
 *
 * <p>Layer: above {@code sender}, below the other packages of operations. Start reading at {@link
 * io.memshard.client.operation.call.Calls}.
 */
@NullMarked
package io.memshard.client.operation.call;

import org.jspecify.annotations.NullMarked;
