/**
 * What can go wrong, as one unchecked tree under {@link
 * io.memshard.client.exception.MemcachedException}.
 *
 * <p>Lowest layer of the client: imports nothing of it. Start reading at {@code
 * MemcachedException}.
 */
@NullMarked
package io.memshard.client.exception;

import org.jspecify.annotations.NullMarked;
