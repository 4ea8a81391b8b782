// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

/** The lab cannot run; the message is one sentence for the person who asked. */
public final class LabException extends RuntimeException {

    /** For {@code message}. */
    public LabException(String message) {
        super(message);
    }

    LabException(String message, Throwable cause) {
        super(message, cause);
    }
}
