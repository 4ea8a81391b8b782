// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol.wire;

/** Thrown when a command does not exist in the classic text protocol. */
public final class NoClassicFormException extends Exception {

    public NoClassicFormException(String message) {
        super(message);
    }
}
