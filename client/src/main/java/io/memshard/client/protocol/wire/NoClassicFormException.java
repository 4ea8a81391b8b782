// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol.wire;

/** Thrown when the classic text protocol has no form of a command. The message says what to do instead. */
public final class NoClassicFormException extends Exception {

    public NoClassicFormException(String message) {
        super(message);
    }
}
