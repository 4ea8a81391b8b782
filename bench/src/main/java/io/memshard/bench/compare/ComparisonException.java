// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

/** A comparison that cannot go on; the message is one sentence for the person who asked. */
public final class ComparisonException extends RuntimeException {

    ComparisonException(String message) {
        super(message);
    }

    ComparisonException(String message, Throwable cause) {
        super(message, cause);
    }
}
