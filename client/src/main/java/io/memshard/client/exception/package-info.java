// SPDX-License-Identifier: Apache-2.0
/**
 * Unchecked exceptions of the client: {@link io.memshard.client.exception.MemcachedException} with its subclasses.
 *
 * <p>Layer: the lowest of the client, which imports no other package of the client. Start reading at
 * {@code MemcachedException}.
 */
@NullMarked
package io.memshard.client.exception;

import org.jspecify.annotations.NullMarked;
