// SPDX-License-Identifier: Apache-2.0
/**
 * What can go wrong, as one unchecked tree under {@link
 * io.memshard.client.exception.MemcachedException}.
 *
 * <p>Layer: the lowest of the client; it imports none of the others. Start reading at {@code
 * MemcachedException}.
 */
@NullMarked
package io.memshard.client.exception;

import org.jspecify.annotations.NullMarked;
