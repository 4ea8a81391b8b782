package io.memshard.client.exception;

/** How far a command had come when it failed. */
public enum Phase {
    /** Still in the client: no byte of it was given to the socket. */
    QUEUED("queued"),
    /** Given to the socket, not yet known to have left it whole. */
    WRITTEN("written"),
    /** Sent whole; the server's reply had not come, or had come in part. */
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
