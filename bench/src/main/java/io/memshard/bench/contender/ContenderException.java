// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

/** A contender that could not be opened; the message is one sentence for the person who asked. */
public final class ContenderException extends RuntimeException {

    ContenderException(String message, Throwable cause) {
        super(message, cause);
    }
}
