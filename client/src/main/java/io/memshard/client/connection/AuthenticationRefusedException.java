package io.memshard.client.connection;

import java.io.IOException;

/** An attempt to connect that ended since the server does not know who asks. */
final class AuthenticationRefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    AuthenticationRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
