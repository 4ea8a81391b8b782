// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

/** Failure that the user can fix. The message is one sentence for the user. */
public final class BenchException extends RuntimeException {

    public BenchException(String message) {
        super(message);
    }

    public BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
