// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * A key of an operation on many keys is illegal, so it was not sent. The operation serves the other keys.
 *
 * <p>Only results of such operations have this failure. An operation on one key throws an {@link
 * IllegalArgumentException} with the same message. The caller has to change the key: no policy takes this for a miss.
 *
 * <p>Protocol: protocol.txt, section "Keys".
 */
public final class MemcachedIllegalKeyException extends MemcachedException {

    /** A failure described by {@code message}, at {@code context}. */
    public MemcachedIllegalKeyException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
