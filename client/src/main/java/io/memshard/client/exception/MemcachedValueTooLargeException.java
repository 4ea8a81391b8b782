// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import org.jspecify.annotations.Nullable;

/**
 * The value exceeds the client's limit or the server's item size limit; the connection stays usable.
 *
 * <p>After a set, of one key or of many, the item is deleted, because its old value is obsolete. If the delete fails
 * too, its failure is added to this exception as a suppressed exception. After other stores the client deletes nothing,
 * but memcached may delete the item when it refuses the value ({@code SERVER_ERROR object too large for cache}).
 */
public final class MemcachedValueTooLargeException extends MemcachedException {

    /** Creates a failure with this message and context. */
    public MemcachedValueTooLargeException(
            String message, @Nullable CommandContext context, @Nullable Throwable cause) {
        super(message, context, cause);
    }
}
