// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol.wire;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;

/** Error reply of the server, or an error for a reply above the client's limits. The connection stays usable. */
public record ErrorReply(Kind kind, String text) {

    /** Returns whether the server accepted the command, but failed to execute it. */
    public boolean isServersFault() {
        return text.startsWith("SERVER_ERROR");
    }

    public MemcachedException toException(CommandContext context) {
        return switch (kind) {
            case VALUE_TOO_LARGE -> new MemcachedValueTooLargeException(text, context, null);
            case UNSUPPORTED -> new MemcachedUnsupportedException(text, context, null);
            case SERVER_ERROR -> new MemcachedServerException("the server answered " + text, context, null);
        };
    }

    public enum Kind {
        VALUE_TOO_LARGE,
        UNSUPPORTED,
        /** Any other {@code ERROR}, {@code CLIENT_ERROR} or {@code SERVER_ERROR}. */
        SERVER_ERROR
    }
}
