// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import org.jspecify.annotations.Nullable;

/** Failure of a value whose bytes do not match the flags. The message gives the reason, without the value. */
final class UnreadableValueException extends Exception {

    UnreadableValueException(String message) {
        this(message, null);
    }

    UnreadableValueException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
