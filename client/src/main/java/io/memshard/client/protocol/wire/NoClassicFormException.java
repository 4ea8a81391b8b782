// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol.wire;

public final class NoClassicFormException extends Exception {

    public NoClassicFormException(String message) {
        super(message);
    }
}
