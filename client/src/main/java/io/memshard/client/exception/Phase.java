// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

/** Progress of a command when it failed. */
public enum Phase {
    /** Still in the client: no byte of the command was written to the socket. */
    QUEUED("queued"),
    /** Passed to the socket, but perhaps not sent completely. */
    WRITTEN("written"),
    /** Sent completely; no reply, or only a part of one, had arrived. */
    AWAITING_REPLY("awaiting reply"),
    /** The server replied, and the reply is the failure. */
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
