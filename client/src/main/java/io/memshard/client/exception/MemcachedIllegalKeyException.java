// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * A key of an operation on many keys is illegal and was not sent. The operation continues with the other keys.
 *
 * <p>This failure occurs only in results of operations on many keys. An operation on one key throws an
 * {@link IllegalArgumentException} with the same message. The caller has to change the key: no failure policy turns
 * this failure into a miss.
 *
 * <p>Protocol: protocol.txt, section "Keys".
 */
public final class MemcachedIllegalKeyException extends MemcachedException {

    public MemcachedIllegalKeyException(String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
