// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol.wire;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;

/** Error reply of a server, or the client's error for a reply above a limit. The connection stays usable. */
public record ErrorReply(Kind kind, String text) {

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
        SERVER_ERROR
    }
}
