// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The value exceeds the client's limit or the server's item size limit; the connection stays usable.
 *
 * <p>After {@code set} or {@code multiSet}, the client deletes the item, because its old value is obsolete. A failure
 * of this delete is added as a suppressed exception. After other stores, the client deletes nothing, but memcached may
 * delete the item when it refuses the value ({@code SERVER_ERROR object too large for cache}).
 */
public final class MemcachedValueTooLargeException extends MemcachedException {

    public MemcachedValueTooLargeException(
            String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
