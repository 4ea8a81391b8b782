package io.memshard.client.protocol;

/**
 * The bytes read are not a reply to the command they were read for.
 *
 * <p>The code that catches it must close the connection, because nothing that follows on it can be trusted.
 */
public final class MalformedReplyException extends Exception {

    /** Says what the bytes are instead. */
    public MalformedReplyException(String message) {
        super(message);
    }
}
