// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol.wire;

import org.jspecify.annotations.Nullable;

/** Thrown when bytes are no valid reply to a command. The connection must be closed. */
public final class MalformedReplyException extends Exception {

    /** Line that memcached sends to a new client when its limit of connections is reached. */
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

    /** Returns the line as shown in the message; null if the message shows no line. */
    public @Nullable String answer() {
        return answer;
    }

    public boolean isServerFull() {
        return answer != null && answer.contains(SERVER_FULL);
    }
}
