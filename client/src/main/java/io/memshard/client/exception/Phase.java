// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.exception;

/** How far a command had come when it failed. */
public enum Phase {
    /** Still in the client: no byte of it was given to the socket. */
    QUEUED("queued"),
    /** Given to the socket, but not known to have left it completely. */
    WRITTEN("written"),
    /** Sent completely; the server's reply had not come, or only a part of it. */
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
