// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import org.jspecify.annotations.Nullable;

/** Bytes that are not a value of the kind that their flags say; the message says why, without the value. */
final class UnreadableValueException extends Exception {

    UnreadableValueException(String message) {
        this(message, null);
    }

    UnreadableValueException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
