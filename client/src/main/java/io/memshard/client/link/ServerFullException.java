// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.protocol.wire.MalformedReplyException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Failure to connect, because the server has reached its limit of connections. */
public final class ServerFullException extends IOException {

    private static final long serialVersionUID = 1L;

    ServerFullException(@Nullable Throwable cause) {
        super(
                "the server is full: it answered \"" + MalformedReplyException.SERVER_FULL
                        + "\"; raise its limit -c (max_connections), or open fewer connections to it",
                cause);
    }

    public static boolean isCauseOf(@Nullable Throwable failure) {
        Throwable each = failure;
        while (each != null && !(each instanceof ServerFullException)) {
            each = each.getCause();
        }
        return each != null;
    }

    public static void throwIfCauseOf(RuntimeException failure) throws ServerFullException {
        if (failure.getCause() instanceof MalformedReplyException malformed && malformed.isServerFull()) {
            throw new ServerFullException(failure);
        }
    }
}
