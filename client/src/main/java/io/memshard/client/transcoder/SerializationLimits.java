// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import java.io.InvalidObjectException;

/** Limits of one serialized stream, whose references {@link StreamCheck} counts. */
record SerializationLimits(int depth, int references) {

    /** Limits with which a read takes at most about a second. The time grows with the square of {@code references}. */
    static final SerializationLimits DEFAULTS = new SerializationLimits(20, 10_000);

    SerializationLimits {
        if (depth < 1 || references < 1) {
            throw new IllegalArgumentException(
                    "depth is " + depth + " and references is " + references + ", but both must be at least 1");
        }
    }

    static final class ExceededException extends InvalidObjectException {

        private static final long serialVersionUID = 1L;

        ExceededException(String message) {
            super(message);
        }
    }

    static void check(String what, long found, long limit) throws ExceededException {
        if (found > limit) {
            throw new ExceededException("the value in Java serialization is above the limits of"
                    + " JavaSerialization: " + what + " " + found + " above " + limit);
        }
    }
}
