// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

/**
 * Properties of a command that reads, for failure policies and listeners. {@link Command#asRead} returns them.
 *
 * @param <T> the result of the command
 */
public interface ReadCommand<T> {

    /**
     * Returns whether the command may be sent again after its reply was lost. For its caller, two executions must then
     * have the same result as one, as for a plain read. The server grants a claim only once.
     */
    boolean isRepeatable();

    /** Returns the result of a miss, which can replace the reply after a failure. */
    T miss();

    /** Returns the number of keys that had a value, when the reply is complete; -1 if no values were requested. */
    int hits();
}
