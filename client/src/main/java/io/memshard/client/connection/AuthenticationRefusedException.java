// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import java.io.IOException;

/** An attempt to connect that ended because the server does not accept the credentials, or demands some. */
final class AuthenticationRefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    AuthenticationRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
