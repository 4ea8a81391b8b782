// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

/** There is no server to measure with; the message is one sentence for the person who asked. */
public final class ServerException extends RuntimeException {

    ServerException(String message) {
        super(message);
    }

    ServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
