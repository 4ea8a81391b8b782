package io.memshard.client.transcoder;

import org.jspecify.annotations.Nullable;

/** Bytes that are no value of the kind they claim to be; the message says why, without the value. */
final class UnreadableValueException extends Exception {

    UnreadableValueException(String message) {
        this(message, null);
    }

    UnreadableValueException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
