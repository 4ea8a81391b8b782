// SPDX-License-Identifier: Apache-2.0
/**
 * Failures of the client: an unchecked tree under {@link io.memshard.client.exception.MemcachedException}, and {@code
 * UpdateConflictException}.
 *
 * <p>Layer: the lowest of the client; imports no other package of the client. Start reading at {@code
 * MemcachedException}.
 */
@NullMarked
package io.memshard.client.exception;

import org.jspecify.annotations.NullMarked;
