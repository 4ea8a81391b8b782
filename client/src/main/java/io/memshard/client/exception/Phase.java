// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

import java.util.Locale;

/** Progress of a command when it failed. */
public enum Phase {
    /** The command was still in the client. No byte of the command was written to the socket. */
    QUEUED,
    /** The command was passed to the socket, but perhaps not sent completely. */
    WRITTEN,
    /** The command was sent completely. The reply had not arrived, or had arrived only in part. */
    AWAITING_REPLY,
    /** The server replied, and the reply caused the failure. */
    REPLIED;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
