// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

/** Progress of a command when it failed. */
public enum Phase {
    /** The command is still in the client. No byte of the command was written to the socket. */
    QUEUED("queued"),
    /** The command was passed to the socket, but perhaps not sent completely. */
    WRITTEN("written"),
    /** The command was sent completely. Its reply had not arrived, or only in part. */
    AWAITING_REPLY("awaiting reply"),
    /** The server replied, and the reply caused the failure. */
    REPLIED("replied");

    private final String words;

    Phase(String words) {
        this.words = words;
    }

    @Override
    public String toString() {
        return words;
    }
}
