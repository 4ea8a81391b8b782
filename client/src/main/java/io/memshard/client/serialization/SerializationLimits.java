// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.serialization;

import java.io.InvalidObjectException;

/**
 * Limits of one stream in Java serialization.
 *
 * <p>Threading: immutable.
 *
 * @param depth deepest nesting of objects, at least 1
 * @param references most references, at least 1; {@link StreamCheck} says what counts as one
 */
public record SerializationLimits(int depth, int references) {

    /** Limits under which reading takes a second at worst. The time grows with the square of the references. */
    public static final SerializationLimits DEFAULTS = new SerializationLimits(20, 10_000);

    public SerializationLimits {
        if (depth < 1 || references < 1) {
            throw new IllegalArgumentException(
                    "limits are " + depth + " and " + references + ": each of them is at least 1");
        }
    }

    /** A value is above the limits. */
    public static final class ExceededException extends InvalidObjectException {

        private static final long serialVersionUID = 1L;

        ExceededException(String message) {
            super(message);
        }
    }

    static void check(String what, long found, long limit) throws ExceededException {
        if (found > limit) {
            throw new ExceededException("the value in Java serialization is above the limits of"
                    + " JavaSerialization: " + what + " " + found + " of " + limit);
        }
    }
}
