package io.memshard.client.protocol;

/** The classic text protocol cannot say a command; the message says what to do instead. */
public final class NoClassicFormException extends Exception {

    /** Says what is missing there, and what to do instead. */
    public NoClassicFormException(String message) {
        super(message);
    }
}
