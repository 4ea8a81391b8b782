// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol.wire;

import org.jspecify.annotations.Nullable;

/** Thrown when bytes are not a reply to their command. The connection must be closed, as later bytes are unreliable. */
public final class MalformedReplyException extends Exception {

    /** Line that a memcached at its limit of connections sends before it closes the connection. */
    public static final String SERVER_FULL = "ERROR Too many open connections";

    private static final long serialVersionUID = 1L;

    private final @Nullable String answer;

    public MalformedReplyException(String message) {
        super(message);
        answer = null;
    }

    public MalformedReplyException(String message, String answer) {
        super(message + ": " + answer);
        this.answer = answer;
    }

    /** Returns the received line as messages show it; null if the exception does not concern a single line. */
    public @Nullable String answer() {
        return answer;
    }

    public boolean isServerFull() {
        return answer != null && answer.contains(SERVER_FULL);
    }
}
