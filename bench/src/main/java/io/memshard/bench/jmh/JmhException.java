// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

/** JMH could not do what it was asked; the message is one sentence for the person who asked. */
public final class JmhException extends RuntimeException {

    JmhException(String message) {
        super(message);
    }

    JmhException(String message, Throwable cause) {
        super(message, cause);
    }
}
