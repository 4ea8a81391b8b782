// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

/**
 * Properties of a command that reads, for failure policies and listeners. {@link Command#asRead} returns these
 * properties.
 *
 * @param <T> the result of the command
 */
public interface ReadCommand<T> {

    /**
     * Returns whether the command may be sent again after its reply was lost; true by default. A command is repeatable
     * if two executions have the same result for the caller as one, as in a plain read. A command that may win a claim
     * is usually not repeatable, because the server grants a claim only once.
     */
    default boolean isRepeatable() {
        return true;
    }

    /** Returns the result of a miss; this result can replace the reply after a failure. */
    T miss();

    /**
     * Returns the number of keys that had a value, when the reply is complete; -1 at any time if no values were
     * requested.
     */
    int hits();
}
