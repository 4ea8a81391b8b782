// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import java.io.IOException;

/** Failure to connect, because the server rejects the credentials, or requires credentials but none are set. */
final class AuthenticationRefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    AuthenticationRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
